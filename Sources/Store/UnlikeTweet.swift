public import Postgres
public import Secrets
public import Values

/// Takes the viewer's like of a tweet back; without one it changes nothing. False: there is no such tweet, or its author
/// is disabled.
public struct UnlikeTweet: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let id: TweetID

  public init(token: TokenDigest, id: TweetID) {
    self.token = token
    self.id = id
  }

  /// `$2` the tweet. Locks are taken as ``LikeTweet`` takes them.
  public static let sql = """
    with \(Viewer.expression),
    present as (
      \(Liking.present)
    ),
    \(Liking.locks(if: "true")),
    unliked as (
      delete from tweet_like using target, liker
      where tweet_like.tweet_id = target.id and tweet_like.account_id = liker.id
      returning tweet_like.tweet_id
    ),
    counted as (
      update tweet set like_count = like_count - 1 from unliked where tweet.id = unliked.tweet_id
    )
    select \(Viewer.column), exists (select from present) as is_there
    from viewer
    """

  /// The tweet, which many may like at once.
  public var contendedRow: ContendedRow? { ContendedRow(high: id.high, low: id.low) }

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(id)
  }
}
