/// The body of `Endpoint.requestPasswordReset` and `Endpoint.remindUsername`: whom to write to.
///
/// A client must give the address. A decoded value may lack it, because the server answers an absent key, or null, with
/// 422 `missing`, while a value of the wrong type makes the whole document malformed (400).
public struct LetterRequest: Codable, Sendable, Hashable, Redacted {
  /// The address of an account. The answer is the same for one that is nobody's.
  public var email: String?

  public init(email: String) {
    self.email = email
  }

  /// An address belongs in no log.
  public var customMirror: Mirror { Mirror(self, children: ["email": "redacted"]) }
}
