/// A language that letters are written in.
public enum Language: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"

  /// The one that suits an `Accept-Language` header best (RFC 9110, section 12.5.4); English without the header, and
  /// when it wants neither.
  ///
  /// A range fits by its first subtag, as `ko-KR` does Korean; `*` fits every language that no range names. Of two that
  /// are wanted alike the one that is named first wins. What is out of form is passed over.
  public init(acceptLanguage header: String?) {
    var weights: [Language: Int] = [:]
    var others: Int?
    var order: [Language] = []
    for element in (header ?? "").utf8.prefix(Self.headerBytesMax).split(separator: UInt8(ascii: ",")) {
      let range = Self.trimmed(element.prefix { $0 != UInt8(ascii: ";") })
      let semicolon = element.firstIndex(of: UInt8(ascii: ";"))
      let parameter = semicolon.map { Self.trimmed(element[element.index(after: $0)...]) }
      guard let weight = parameter.map(Self.thousandths) ?? 1_000 else { continue }
      if range == "*" {
        others = others ?? weight
      } else if let language = Language(rawValue: String(range.prefix { $0 != "-" })) {
        if weights[language] == nil { order.append(language) }
        weights[language] = max(weights[language] ?? 0, weight)
      }
    }
    if let others {
      for language in Language.allCases where weights[language] == nil {
        weights[language] = others
        order.append(language)
      }
    }
    let most = weights.values.max() ?? 0
    self = order.first { most > 0 && weights[$0] == most } ?? .english
  }

  /// What is looked at of a header.
  static let headerBytesMax = 1_024

  /// A weight in thousandths: `q=0.8` is 800. Nil when it is out of form (RFC 9110, section 12.4.2).
  private static func thousandths(_ text: String) -> Int? {
    guard text.hasPrefix("q=") else { return nil }
    let digits = Array(text.utf8.dropFirst(2))
    guard let first = digits.first, first == 0x30 || first == 0x31, digits.count <= 5 else { return nil }
    guard digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return nil }
    var value = Int(first - 0x30) * 1_000
    var unit = 100
    for digit in digits.dropFirst(2) {
      guard (0x30...0x39).contains(digit) else { return nil }
      value += Int(digit - 0x30) * unit
      unit /= 10
    }
    return value <= 1_000 ? value : nil
  }

  /// Without blanks and tabs at either end, in lower case.
  private static func trimmed(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.filter { $0 != 0x20 && $0 != 0x09 }.map(\.asciiLowercased), as: UTF8.self)
  }
}
