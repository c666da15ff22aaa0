/// The body of `Endpoint.register`.
///
/// A client must give the required fields. A decoded value may lack them, because the server answers an absent key, or
/// null, with 422 `missing` for that field, while a value of the wrong type makes the whole document malformed (400).
public struct Registration: Codable, Sendable, Hashable, Redacted {
  /// One address, ASCII, at most 254 bytes.
  public var email: String?
  /// 3 to 30 of `a-z 0-9 _ .`; capitals are folded to lower case.
  public var username: String?
  /// 8 to 1,024 bytes of UTF-8 after NFC normalisation, spaces and all.
  public var password: String?
  /// The name to show, at most 50 characters, or nil.
  public var fullName: String?
  /// Whether the token shall come in a cookie and not in the body, for browsers. Nil means no.
  public var cookie: Bool?

  public init(email: String, username: String, password: String, fullName: String? = nil, cookie: Bool? = nil) {
    self.email = email
    self.username = username
    self.password = password
    self.fullName = fullName
    self.cookie = cookie
  }

  /// Shows the username alone: neither the password nor the address belongs in a log.
  public var customMirror: Mirror {
    Mirror(self, children: ["username": username as Any, "email": "redacted", "password": "redacted"])
  }
}
