import Postgres
public import Values

/// A tweet as one viewer sees it.
public struct TweetRow: Listable {
  public let id: TweetID
  public let text: String
  public let createdAtMicroseconds: Int64
  public let likes: Int
  public let isLikedByViewer: Bool
  public let author: AuthorRow

  /// Lists of tweets are ordered by the tweets' ids, hence by time.
  public var place: TweetID { id }

  /// The select list that ``init(_:)`` reads, from relations named `tweet`, `author` and `viewer`.
  static let columns = """
    tweet.id as place, tweet.text, tweet.created_at, tweet.like_count,
    exists (
      select from tweet_like where tweet_like.tweet_id = tweet.id and tweet_like.account_id = viewer.id offset 0
    ) as is_liked,
    author.id as author_id, author.username, author.full_name, author.avatar_sha256
    """

  init(_ row: inout Row) {
    id = row.id()
    text = row.text()
    createdAtMicroseconds = row.time()
    likes = row.int32()
    isLikedByViewer = row.bool()
    author = AuthorRow(&row)
  }
}

/// Who posted a tweet.
public struct AuthorRow: Sendable, Equatable {
  public let id: AccountID
  public let username: String
  public let fullName: String?
  /// SHA-256 of the profile photo.
  public let avatarDigest: [UInt8]?

  init(_ row: inout Row) {
    id = row.id()
    username = row.text()
    fullName = row.optionalText()
    avatarDigest = row.optionalBytes()
  }
}
