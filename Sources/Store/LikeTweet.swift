public import Postgres
public import Secrets
public import Values

/// Has the viewer like a tweet. Once it does, a repeat changes nothing and counts against no limit.
public struct LikeTweet: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let id: TweetID
  public let allowance: Allowance

  public init(token: TokenDigest, id: TweetID, allowance: Allowance) {
    self.token = token
    self.id = id
    self.allowance = allowance
  }

  /// `$2` the tweet, `$3` `$4` the allowance.
  ///
  /// The viewer's row is locked first, so that an account is not disabled or deleted between its like and the count of
  /// it; then the tweet's.
  public static let sql = """
    with \(Viewer.expression),
    present as (
      \(Liking.present)
    ),
    blocked as (
      select max(until) as until from (\(Throttle.spentUntil("likes_account", subject: Liking.subject, max: "$3::integer"))) as spent
      where exists (select from present where not is_liked)
    ),
    start as (
      select true from present, blocked where blocked.until is null and not present.is_liked
    ),
    \(Throttle.count("likes_account", subject: Liking.subject, max: "$3::integer", seconds: "$4::double precision", after: "start")),
    \(Liking.locks(if: "exists (select from likes_account_passed)")),
    liked as (
      insert into tweet_like (tweet_id, account_id) select target.id, liker.id from target, liker
      on conflict (tweet_id, account_id) do nothing
      returning tweet_id
    ),
    counted as (
      update tweet set like_count = like_count + 1 from liked where tweet.id = liked.tweet_id
    )
    select \(Viewer.column), exists (select from present) as is_there,
           blocked.until is not null or exists (select from start) and not exists (select from likes_account_passed) as is_spent,
           \(Throttle.spent("'likes_account'"))
    from viewer
    cross join blocked
    """

  /// The tweet, which many may like at once.
  public var contendedRow: ContendedRow? { ContendedRow(high: id.high, low: id.low) }

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(id)
    parameters.append(allowance)
  }

  public func found(in rows: Rows) -> RelationOutcome { RelationOutcome(rows) }
}

/// What became of a like or a follow.
public enum RelationOutcome: Sendable, Equatable {
  /// It stands, whether it did before or not.
  case stands
  /// There is no such tweet or account, or its owner is disabled.
  case nothingThere
  case spent(SpentLimit)

  /// Reads the columns `is_there`, `is_spent` and those of `Throttle.spent` after the viewer's.
  init(_ rows: Rows) {
    var row = rows[0]
    row.skip()
    let isThere = row.bool()
    let isSpent = row.bool()
    self = !isThere ? .nothingThere : isSpent ? .spent(SpentLimit(&row)) : .stands
  }
}

/// The shared part of the statements that like and take a like back.
enum Liking {
  static let subject = "(select id::text from viewer)"

  /// The tweet `$2` when its author is enabled, and whether the viewer likes it.
  static let present = """
    select tweet.id, exists (
        select from tweet_like where tweet_like.tweet_id = tweet.id and tweet_like.account_id = viewer.id
      ) as is_liked
    from viewer
    join tweet on tweet.id = $2::uuid
    join account as author on author.id = tweet.author_id and author.disabled_at is null
    """

  /// `liker` and `target`: the rows of the viewer and the tweet, locked in this order.
  static func locks(if condition: String) -> String {
    """
    liker as materialized (
      select account.id from account
      where account.id = (select id from viewer) and account.disabled_at is null and \(condition)
      for share
    ),
    target as materialized (
      select tweet.id from tweet where tweet.id = (select id from present) and exists (select from liker)
      for no key update
    )
    """
  }
}
