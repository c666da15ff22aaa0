/// The body of `Endpoint.deleteAccount`.
///
/// A client must give the password. A decoded value may lack it, because the server answers an absent key, or null, with
/// 422 `missing`, while a value of the wrong type makes the whole document malformed (400).
public struct AccountDeletion: Codable, Sendable, Hashable, Redacted {
  public var password: String?

  public init(password: String) {
    self.password = password
  }

  public var customMirror: Mirror { Mirror(self, children: ["password": "redacted"]) }
}
