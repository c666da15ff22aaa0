public import Postgres
public import Secrets
public import Values

/// A page of who follows the account with this name, the latest follow first; nil when there is no such account, or it is
/// disabled. Those who are disabled are not on it.
public struct ListFollowers: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  /// Nil: what was asked for can be nobody's name.
  public let username: Username?
  public let page: Page<FollowRow>

  public init(token: TokenDigest, username: Username?, page: Page<FollowRow>) {
    self.token = token
    self.username = username
    self.page = page
  }

  /// `$2` username, `$3` `$4` the page. The list of somebody without any is one row without a follow.
  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), person.id is not null as is_known, item.*
    from viewer
    left join account as person on person.username = $2::text and person.disabled_at is null
    left join lateral (
      select \(FollowRow.columns)
      from follow
      cross join lateral \(EnabledAccount.relation("account", id: "follow.follower_id"))
      where follow.followee_id = person.id and follow.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by follow.id desc
      limit $4::bigint
    ) as item on true
    order by item.place desc
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
    parameters.append(page)
  }

  public func found(in rows: Rows) -> Listed<FollowRow>? {
    page.list(ofKnown: rows) { FollowRow(&$0) }
  }
}
