/// The name of an account: 3 to 30 of `a-z 0-9 _ .`, folded to lower case.
///
/// It starts with a letter or a digit, has no two dots in a row and no dot at its end. Upper-case ASCII letters are
/// accepted and folded, on every path alike, so two names that differ only in case are one name.
public struct Username: Hashable, Sendable {
  public static let lengthMin = 3
  public static let lengthMax = 30

  /// The folded form; the only one there is.
  public let text: String

  /// A name somebody wants to take.
  ///
  /// Faults: `forbidden_character`, `too_short`, `too_long`, `malformed`, `reserved`.
  public init(_ text: String) throws(Fault) {
    try self.init(existing: text)
    if Self.reserved.contains(self.text) { throw Fault(.reserved, "This username is reserved. Choose another one.") }
  }

  /// A name that may be somebody's already: the same form, but reserved names pass, since a name may have been
  /// reserved after it was taken.
  public init(existing text: String) throws(Fault) {
    let folded = text.utf8.map(\.asciiLowercased)
    guard folded.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == Self.underscore || $0 == Self.dot }) else {
      throw Fault(.forbiddenCharacter, "Use only the letters a to z, digits, underscores and dots.")
    }
    guard folded.count >= Self.lengthMin else { throw Fault(.tooShort, "Use at least 3 characters.") }
    guard folded.count <= Self.lengthMax else { throw Fault(.tooLong, "Use at most 30 characters.") }
    guard folded[0] != Self.underscore, folded[0] != Self.dot else {
      throw Fault(.malformed, "Start with a letter or a digit.")
    }
    guard folded.last != Self.dot else { throw Fault(.malformed, "Do not end with a dot.") }
    guard !zip(folded, folded.dropFirst()).contains(where: { $0 == Self.dot && $1 == Self.dot }) else {
      throw Fault(.malformed, "Do not use two dots in a row.")
    }
    self.text = String(decoding: folded, as: UTF8.self)
  }

  private static let dot = UInt8(ascii: ".")
  private static let underscore = UInt8(ascii: "_")
}

extension Username: CustomStringConvertible {
  public var description: String { text }
}
