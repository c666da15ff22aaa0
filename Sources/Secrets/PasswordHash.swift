/// A hashed password as a PHC string: algorithm, parameters, salt and digest in one text, as the database keeps it.
public struct PasswordHash: Hashable, Sendable {
  /// The string itself, for the statement that stores it.
  public let text: String

  /// A stored string. It need not be in form: one that is not matches no password.
  public init(stored text: String) { self.text = text }

  /// What the hash was made with; nil when the string is not in form.
  public var parameters: Argon2Parameters? { Argon2Parameters(phc: text) }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "PasswordHash(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
