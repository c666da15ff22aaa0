/// Whole numbers as people write them in settings: ASCII digits and nothing else.
enum Digits {
  /// Nil for a sign, a space, a fraction, anything outside `range`.
  static func number(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }
}
