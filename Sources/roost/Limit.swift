/// How often something may happen within a time: `60/15min`. A count of 0 switches the limit off.
struct Limit: Sendable, Equatable, CustomStringConvertible {
  let count: Int
  let windowSeconds: Int

  static let countMax = 1_000_000
  static let windowSecondsMax = 30 * 86_400

  /// `60/15min`, `20/h`, `0`.
  var description: String {
    if count == 0 { return "0" }
    for (unit, seconds) in Self.units where windowSeconds % seconds == 0 {
      let number = windowSeconds / seconds
      return "\(count)/\(number == 1 ? "" : "\(number)")\(unit)"
    }
    return "\(count)/\(windowSeconds)s"
  }

  init(_ count: Int, everySeconds: Int) {
    self.count = count
    windowSeconds = everySeconds
  }

  /// A count alone keeps `windowSeconds`. Nil when it is malformed.
  init?(_ text: String, windowSeconds: Int) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let count = Digits.number(parts[0], in: 0...Self.countMax) else { return nil }
    if parts.count == 1 {
      self.init(count, everySeconds: windowSeconds)
    } else {
      guard let window = Self.seconds(parts[1]) else { return nil }
      self.init(count, everySeconds: window)
    }
  }

  private static let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]

  private static func seconds(_ text: Substring) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text[digits.endIndex...]
    guard let seconds = units.first(where: { $0.0 == unit })?.1 else { return nil }
    let number = digits.isEmpty ? 1 : Digits.number(digits, in: 1...windowSecondsMax)
    guard let number, number * seconds <= windowSecondsMax else { return nil }
    return number * seconds
  }
}
