public import Postgres
public import Secrets
import Values

/// A page of the viewer's home feed, newest first: the viewer's own tweets.
public struct ReadFeed: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  public let page: Page<TweetRow>

  public init(token: TokenDigest, page: Page<TweetRow>) {
    self.token = token
    self.page = page
  }

  /// `$2` before this id, or null, `$3` how many rows. The feed of somebody without tweets is one row without a tweet.
  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), \(TweetRow.columns)
    from viewer
    join account as author on author.id = viewer.id
    left join lateral (
      select * from tweet
      where tweet.author_id = viewer.id and tweet.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by tweet.id desc
      limit $3::bigint
    ) as tweet on true
    order by tweet.id desc
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(page)
  }

  public func found(in rows: Rows) -> Listed<TweetRow> {
    page.list(rows) { TweetRow(&$0) }
  }
}
