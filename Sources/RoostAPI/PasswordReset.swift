/// The body of `Endpoint.resetPassword`.
///
/// A client must give both fields; see `LetterRequest` for those that are absent.
public struct PasswordReset: Codable, Sendable, Hashable, Redacted {
  /// What follows `#token=` in the mailed link.
  public var token: String?
  /// 8 to 1,024 bytes of UTF-8 after NFC normalisation, spaces and all.
  public var newPassword: String?

  public init(token: String, newPassword: String) {
    self.token = token
    self.newPassword = newPassword
  }

  /// Shows neither.
  public var customMirror: Mirror { Mirror(self, children: ["token": "redacted", "newPassword": "redacted"]) }
}
