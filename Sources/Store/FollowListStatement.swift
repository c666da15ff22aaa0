public import Postgres
public import Values

/// A page of the accounts on one side of somebody's follows, the latest follow first; nil when there is no such account,
/// or it is disabled.
public protocol FollowListStatement: ViewerStatement, ReadStatement where Found == Listed<FollowRow>? {
  /// Nil: what was asked for can be nobody's name.
  var username: Username? { get }
  /// Which part of the list.
  var page: Page<FollowRow> { get }
}

extension FollowListStatement {
  /// `$2` username, `$3` `$4` the page. The list of somebody without any is one row without a follow.
  ///
  /// `column` is the side that is listed, `owner` the one that is asked about.
  static func list(_ column: String, of owner: String) -> String {
    """
    with \(Viewer.expression)
    select \(Viewer.column), person.id is not null as is_known, item.*
    from viewer
    left join account as person on person.username = $2::text and person.disabled_at is null
    left join lateral (
      select \(FollowRow.columns)
      from follow
      cross join lateral \(EnabledAccount.relation("account", id: "follow.\(column)"))
      where follow.\(owner) = person.id and follow.id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by follow.id desc
      limit $4::bigint
    ) as item on true
    order by item.place desc
    """
  }

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
    parameters.append(page)
  }

  public func found(in rows: Rows) -> Listed<FollowRow>? {
    page.list(ofKnown: rows) { FollowRow(&$0) }
  }
}
