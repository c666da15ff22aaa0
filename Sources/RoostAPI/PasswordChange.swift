/// The body of `Endpoint.changePassword`.
///
/// A client must give both. A decoded value may lack them, because the server answers an absent key, or null, with 422
/// `missing` for that field, while a value of the wrong type makes the whole document malformed (400).
public struct PasswordChange: Codable, Sendable, Hashable, Redacted {
  public var currentPassword: String?
  /// 8 to 1,024 bytes of UTF-8 after NFC normalisation, spaces and all.
  public var newPassword: String?

  public init(currentPassword: String, newPassword: String) {
    self.currentPassword = currentPassword
    self.newPassword = newPassword
  }

  public var customMirror: Mirror {
    Mirror(self, children: ["currentPassword": "redacted", "newPassword": "redacted"])
  }
}
