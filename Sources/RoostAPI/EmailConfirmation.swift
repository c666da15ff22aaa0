/// The body of `Endpoint.confirmEmail`.
///
/// A client must give the token; see `LetterRequest` for one that is absent.
public struct EmailConfirmation: Codable, Sendable, Hashable, Redacted {
  /// What follows `#token=` in the mailed link.
  public var token: String?

  public init(token: String) {
    self.token = token
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: ["token": "redacted"]) }
}
