/// The body of `Endpoint.changeEmail`.
///
/// A client must give both fields; see `LetterRequest` for those that are absent.
public struct EmailChange: Codable, Sendable, Hashable, Redacted {
  /// The address that the account is to have. It has it once the link that is mailed there is confirmed.
  public var email: String?
  /// The account's password.
  public var password: String?

  public init(email: String, password: String) {
    self.email = email
    self.password = password
  }

  /// Shows neither.
  public var customMirror: Mirror { Mirror(self, children: ["email": "redacted", "password": "redacted"]) }
}
