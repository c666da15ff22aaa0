import Postgres
public import Values

/// An account as its owner sees it.
public struct AccountRow: Sendable, Equatable {
  public let id: AccountID
  public let username: String
  public let email: String
  public let isEmailVerified: Bool
  public let fullName: String?
  public let bio: String?
  /// SHA-256 of the profile photo.
  public let avatarDigest: [UInt8]?
  public let createdAtMicroseconds: Int64
  public let followers: Int
  public let following: Int
  public let tweets: Int

  /// The select list that ``init(_:)`` reads, from a relation named `account`.
  static let columns = """
    account.id, account.username, account.email, account.email_verified_at is not null as email_verified,
    account.full_name, account.bio, account.avatar_sha256, account.created_at,
    account.follower_count, account.following_count, account.tweet_count
    """

  init(_ row: inout Row) {
    id = row.id()
    username = row.text()
    email = row.text()
    isEmailVerified = row.bool()
    fullName = row.optionalText()
    bio = row.optionalText()
    avatarDigest = row.optionalBytes()
    createdAtMicroseconds = row.time()
    followers = row.int32()
    following = row.int32()
    tweets = row.int32()
  }
}
