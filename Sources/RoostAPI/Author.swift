/// Who wrote a tweet: what everybody may see of an account.
public struct Author: Codable, Sendable, Hashable {
  /// A UUIDv7, lower case.
  public let id: String
  public let username: String
  public let fullName: String?
  /// Where the picture is, or nil without one.
  public let profileImageURL: String?
}
