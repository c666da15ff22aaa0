public import Postgres
public import Secrets
import Values

/// A page of everybody's tweets, newest first. Those of disabled accounts are not on it.
public struct ReadExplore: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  public let page: Page<TweetRow>

  public init(token: TokenDigest, page: Page<TweetRow>) {
    self.token = token
    self.page = page
  }

  /// `$2` `$3` the page. Without any tweet it is one row without a tweet.
  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), item.*
    from viewer
    left join lateral (
      select \(TweetRow.columns)
      from tweet
      cross join lateral \(EnabledAccount.relation("author", id: "tweet.author_id"))
      where tweet.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by tweet.id desc
      limit $3::bigint
    ) as item on true
    order by item.place desc
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(page)
  }

  public func found(in rows: Rows) -> Listed<TweetRow> {
    page.list(rows) { TweetRow(&$0) }
  }
}
