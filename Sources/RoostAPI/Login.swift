/// The body of `Endpoint.login`.
///
/// A client must give the required fields. A decoded value may lack them, because the server answers an absent key, or
/// null, with 422 `missing` for that field, while a value of the wrong type makes the whole document malformed (400).
public struct Login: Codable, Sendable, Hashable, Redacted {
  /// An email address or a username, whatever its letter case.
  public var login: String?
  public var password: String?
  /// Whether the token shall come in a cookie and not in the body, for browsers. Nil means no.
  public var cookie: Bool?

  public init(login: String, password: String, cookie: Bool? = nil) {
    self.login = login
    self.password = password
    self.cookie = cookie
  }

  /// Shows neither field: people type their password into the other one by mistake.
  public var customMirror: Mirror {
    Mirror(self, children: ["login": "redacted", "password": "redacted"])
  }
}
