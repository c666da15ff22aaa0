public import Postgres
public import Secrets
public import Values

/// Has the viewer follow an account no more; without a follow it changes nothing.
public struct UnfollowAccount: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  /// Nil: what was asked for can be nobody's name.
  public let username: Username?

  public init(token: TokenDigest, username: Username?) {
    self.token = token
    self.username = username
  }

  /// `$2` username. Locks are taken as ``FollowAccount`` takes them.
  public static let sql = """
    with \(Viewer.expression),
    present as (
      \(Following.present)
    ),
    \(Following.locks(if: "true")),
    unfollowed as (
      delete from follow using viewer, present
      where follow.follower_id = viewer.id and follow.followee_id = present.id and (select count(*) from locked) = 2
      returning follow.follower_id, follow.followee_id
    ),
    \(Following.count("unfollowed", by: "- 1"))
    select \(Viewer.column), exists (select from present) as is_there, false as is_spent, 1 as retry_after, '' as spent_rule,
           exists (select from present where is_oneself) as is_oneself
    from viewer
    """

  /// The account that is followed, by many at once.
  public var contendedRow: ContendedRow? { username.map { ContendedRow(named: $0.text) } }

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
  }

  public func found(in rows: Rows) -> FollowAccount.Outcome {
    var row = rows[0]
    row.skip(5)
    return row.bool() ? .oneself : .relation(RelationOutcome(rows))
  }
}
