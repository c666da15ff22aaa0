public import Postgres
public import Secrets
public import Values

/// What has come into the viewer's home feed after a place, oldest first; nil when that is more than is worth sending.
public struct ReadFeedSince: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  public let after: TweetID

  public init(token: TokenDigest, after: TweetID) {
    self.token = token
    self.after = after
  }

  /// Of everybody's tweets after the place so many are looked at.
  public static let lookedAtMax = 2_000
  /// So many are answered.
  public static let tweetsMax = 100

  public static let sql = """
    with \(Viewer.expression),
    recent as materialized (
      select * from tweet where tweet.id > $2::uuid order by tweet.id limit \(lookedAtMax + 1)
    ),
    fresh as materialized (
      select * from recent
      where recent.author_id = (select viewer.id from viewer)
        or recent.author_id in (select follow.followee_id from follow join viewer on follow.follower_id = viewer.id)
      order by recent.id
      limit \(tweetsMax + 1)
    )
    select \(Viewer.column),
           (select count(*) from recent) > \(lookedAtMax) or (select count(*) from fresh) > \(tweetsMax) as is_too_much,
           \(TweetRow.columns)
    from viewer
    left join (
      fresh as tweet cross join lateral \(EnabledAccount.relation("author", id: "tweet.author_id"))
    ) on true
    order by tweet.id
    """

  public func bindRest(to parameters: inout Parameters) { parameters.append(after) }

  public func found(in rows: Rows) -> [TweetRow]? {
    var tweets: [TweetRow] = []
    for index in 0..<rows.count {
      var row = rows[index]
      row.skip()
      guard !row.bool() else { return nil }
      if !row.isNextNull { tweets.append(TweetRow(&row)) }
    }
    return tweets
  }
}
