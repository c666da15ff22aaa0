public import Postgres
public import Values

/// Tweets by their ids, oldest first, as somebody sees them who has not liked any yet. Those that are gone, or whose
/// author is disabled, are left out.
public struct ReadLiveTweets: ReadStatement {
  public let ids: [TweetID]

  public init(ids: [TweetID]) { self.ids = ids }

  public static let sql = """
    select \(TweetRow.columns)
    from tweet
    cross join lateral \(EnabledAccount.relation("author", id: "tweet.author_id"))
    cross join (select null::uuid as id) as viewer
    where tweet.id = any ($1::uuid[])
    order by tweet.id
    """

  public func bind(to parameters: inout Parameters) { parameters.append(ids) }

  public func decode(_ rows: Rows) -> [TweetRow] { rows.map { TweetRow(&$0) } }
}
