import Postgres
public import Values

/// An account as everybody who is signed in may see it: never its email address.
public struct ProfileRow: Sendable, Equatable {
  public let id: AccountID
  public let username: String
  public let fullName: String?
  public let bio: String?
  /// SHA-256 of the profile photo.
  public let avatarDigest: [UInt8]?
  public let createdAtMicroseconds: Int64
  public let followers: Int
  public let following: Int
  public let tweets: Int
  public let isFollowedByViewer: Bool

  /// The select list that ``init(_:)`` reads, from relations named `account` and `viewer`.
  static let columns = """
    account.id, account.username, account.full_name, account.bio, account.avatar_sha256, account.created_at,
    account.follower_count, account.following_count, account.tweet_count,
    exists (
      select from follow as mine where mine.follower_id = viewer.id and mine.followee_id = account.id offset 0
    ) as is_followed
    """

  init(_ row: inout Row) {
    id = row.id()
    username = row.text()
    fullName = row.optionalText()
    bio = row.optionalText()
    avatarDigest = row.optionalBytes()
    createdAtMicroseconds = row.time()
    followers = row.int32()
    following = row.int32()
    tweets = row.int32()
    isFollowedByViewer = row.bool()
  }
}

/// One who follows an account, or whom it follows. The latest comes first.
public struct FollowRow: Listable {
  /// The follow that puts the profile on the list.
  public let place: FollowID
  public let profile: ProfileRow

  /// The select list that ``init(_:)`` reads, from relations named `follow`, `account` and `viewer`.
  static let columns = "follow.id as place, \(ProfileRow.columns)"

  init(_ row: inout Row) {
    place = row.id()
    profile = ProfileRow(&row)
  }
}
