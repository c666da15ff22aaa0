public import Postgres
public import Secrets
public import Values

/// A page of what the account with this name has posted, newest first; nil when there is no such account, or it is
/// disabled.
public struct ListProfileTweets: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  /// Nil: what was asked for can be nobody's name.
  public let username: Username?
  public let page: Page<TweetRow>

  public init(token: TokenDigest, username: Username?, page: Page<TweetRow>) {
    self.token = token
    self.username = username
    self.page = page
  }

  /// `$2` username, `$3` `$4` the page. The list of somebody without tweets is one row without a tweet.
  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), author.id is not null as is_known, \(TweetRow.columns)
    from viewer
    left join account as author on author.username = $2::text and author.disabled_at is null
    left join lateral (
      select * from tweet
      where tweet.author_id = author.id and tweet.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by tweet.id desc
      limit $4::bigint
    ) as tweet on true
    order by tweet.id desc
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
    parameters.append(page)
  }

  public func found(in rows: Rows) -> Listed<TweetRow>? {
    page.list(ofKnown: rows) { TweetRow(&$0) }
  }
}
