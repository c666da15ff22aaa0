/// Something wrong with a setting, in words that say which one and what to do.
struct Mistake: Sendable, Equatable, CustomStringConvertible {
  /// The variable or flag: `LISTEN` or `--listen`.
  let setting: String
  /// What was given; nil for secrets and when the value is not the point.
  let value: String?
  /// What is allowed, or what else to do.
  let advice: String

  /// The longest part of a value that is shown.
  static let shownCharactersMax = 80

  var description: String {
    guard let value else { return "\(setting): \(advice)" }
    return "\(setting)=\(Self.quoted(value)): \(advice)"
  }

  /// `text` in quotes on one line, however long and whatever it holds.
  static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(shownCharactersMax).map { $0.escaped(asASCII: false) }.joined()
    return "\"\(shown)\(text.unicodeScalars.count > shownCharactersMax ? "..." : "")\""
  }
}
