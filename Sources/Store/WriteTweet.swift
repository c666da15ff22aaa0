public import Postgres
public import Secrets
public import Values

/// Posts a tweet for the viewer, once for each idempotency key.
public struct WriteTweet: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let id: TweetID
  public let text: TweetText
  public let key: IdempotencyKey?
  public let allowance: Allowance

  public init(token: TokenDigest, id: TweetID, text: TweetText, key: IdempotencyKey?, allowance: Allowance) {
    self.token = token
    self.id = id
    self.text = text
    self.key = key
    self.allowance = allowance
  }

  /// What became of it.
  public enum Outcome: Sendable, Equatable {
    case posted(TweetRow)
    case spent(SpentLimit)
    /// The key was used for another text.
    case keyReused
    /// The same key is being used at this moment: give back what was counted, and run the statement again.
    case keyInUse(CountWindow)
  }

  /// `$2` id, `$3` text, `$4` time, `$5` key, `$6` `$7` the allowance. A repeat of a key counts against no limit.
  public static let sql = """
    with \(Viewer.expression),
    earlier as (
      select tweet.id, tweet.text from tweet join viewer on tweet.author_id = viewer.id
      where tweet.idempotency_key = $5::text
    ),
    blocked as (
      select max(until) as until from (\(Throttle.spentUntil("tweets_account", subject: subject, max: "$6::integer"))) as spent
      where not exists (select from earlier)
    ),
    start as (
      select true from viewer, blocked where blocked.until is null and not exists (select from earlier)
    ),
    \(Throttle.count("tweets_account", subject: subject, max: "$6::integer", seconds: "$7::double precision", after: "start")),
    written as (
      insert into tweet (id, author_id, text, created_at, idempotency_key)
      select $2::uuid, viewer.id, $3::text, $4::timestamptz, $5::text from viewer, tweets_account_passed
      on conflict (author_id, idempotency_key) where idempotency_key is not null do nothing
      returning *
    ),
    counted as (
      update account set tweet_count = tweet_count + 1 from written where account.id = written.author_id
    ),
    shown as (
      select * from written
      union all
      select tweet.* from tweet join earlier on earlier.id = tweet.id where earlier.text = $3::text
    )
    select \(Viewer.column), exists (select from start) and not exists (select from tweets_account_passed) or blocked.until is not null as is_spent,
           \(Throttle.spent("'tweets_account'")),
           exists (select from earlier) and tweet.id is null as is_key_reused,
           \(Throttle.window(of: "tweets_account")) as "window", \(TweetRow.columns)
    from viewer
    cross join blocked
    join account as author on author.id = viewer.id
    left join shown as tweet on true
    """

  private static let subject = "(select id::text from viewer)"

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(id)
    parameters.append(text.text)
    parameters.append(millisecondsSinceEpoch: Int64(id.millisecondsSinceEpoch))
    parameters.append(key?.text)
    parameters.append(allowance)
  }

  public func found(in rows: Rows) -> Outcome {
    var row = rows[0]
    row.skip()
    let isSpent = row.bool()
    let spent = SpentLimit(&row)
    let isKeyReused = row.bool()
    let window = CountWindow(&row)
    if !row.isNextNull { return .posted(TweetRow(&row)) }
    if isSpent { return .spent(spent) }
    return isKeyReused ? .keyReused : .keyInUse(window)
  }
}
