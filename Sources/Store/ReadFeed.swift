public import Postgres
public import Secrets
import Values

/// A page of the viewer's home feed, newest first: the viewer's own tweets and those of the accounts that are followed,
/// as they are at this moment, without those of disabled accounts. Nothing is kept for it when tweets are written.
///
/// Two ways lead to a page, and neither is the better one for everybody. Walking back through everybody's tweets fills
/// it soon for whoever follows many; asking each followed account for its tweets does for whoever follows few, or quiet
/// ones. So the walk is tried first, for no longer than asking would take, and only when it has not filled the page
/// are the accounts asked: either way takes at most about twice as long as the better one would have.
public struct ReadFeed: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  public let page: Page<TweetRow>

  public init(token: TokenDigest, page: Page<TweetRow>) {
    self.token = token
    self.page = page
  }

  /// How many tweets are walked over for each account whose tweets may be on the page. Asking an account costs about
  /// as much as walking over five tweets; `docs/decisions.md` has the figures.
  public static let walkedForEachAccount = 4

  /// `$2` `$3` the page. An empty feed is one row without a tweet.
  ///
  /// `is true` has PostgreSQL look the authors up in a hash of the followed; without it the walk would become a join
  /// that reads all and sorts. The narrowed way first asks each account for its latest tweet alone: only the authors of
  /// the latest so many can be on the page.
  public static let sql = """
    with \(Viewer.expression),
    walked as materialized (
      select item.id
      from viewer
      cross join lateral (
        select recent.id
        from (
          select tweet.id, tweet.author_id from tweet
          where tweet.id < \(before)
          order by tweet.id desc
          limit \(walkedForEachAccount) * (viewer.following_count::bigint + 1)
        ) as recent
        cross join lateral \(EnabledAccount.relation("author", id: "recent.author_id"))
        where recent.author_id = viewer.id or (
          recent.author_id in (select followee_id from follow where follower_id = (select id from viewer))
        ) is true
        order by recent.id desc
        limit $3::bigint
      ) as item
    ),
    narrowed as (
      select item.author_id
      from viewer
      cross join lateral (
        select latest.author_id
        from (
          select source.author_id, tweet.id as tweet_id
          from (
            select viewer.id as author_id
            union all
            select followee_id from follow where follower_id = viewer.id
          ) as source
          cross join lateral (
            select id from tweet where tweet.author_id = source.author_id and tweet.id < \(before)
            order by tweet.id desc
            limit 1
          ) as tweet
          where (select count(*) from walked) < $3::bigint
          order by tweet.id desc
          offset 0
        ) as latest
        cross join lateral \(EnabledAccount.relation("author", id: "latest.author_id"))
        order by latest.tweet_id desc
        limit $3::bigint
      ) as item
    ),
    asked as (
      select tweet.id
      from narrowed
      cross join lateral (
        select id from tweet where tweet.author_id = narrowed.author_id and tweet.id < \(before)
        order by tweet.id desc
        limit $3::bigint
      ) as tweet
      order by tweet.id desc
      limit $3::bigint
    ),
    page as (
      select id from walked where (select count(*) from walked) >= $3::bigint
      union all
      select id from asked
    )
    select \(Viewer.column), item.*
    from viewer
    left join lateral (
      select \(TweetRow.columns)
      from page
      cross join lateral (select * from tweet where tweet.id = page.id offset 0) as tweet
      cross join lateral \(EnabledAccount.relation("author", id: "tweet.author_id"))
    ) as item on true
    order by item.place desc
    """

  private static let before = "coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')"

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(page)
  }

  public func found(in rows: Rows) -> Listed<TweetRow> {
    page.list(rows) { TweetRow(&$0) }
  }
}
