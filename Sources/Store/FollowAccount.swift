public import Postgres
public import Secrets
public import Values

/// Has the viewer follow an account. Once it does, a repeat changes nothing and counts against no limit.
///
/// Nobody follows oneself: that is ``RelationOutcome/nothingThere`` here, and asked before.
public struct FollowAccount: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  /// Nil: what was asked for can be nobody's name.
  public let username: Username?
  public let id: FollowID
  public let allowance: Allowance

  public init(token: TokenDigest, username: Username?, id: FollowID, allowance: Allowance) {
    self.token = token
    self.username = username
    self.id = id
    self.allowance = allowance
  }

  /// What became of it.
  public enum Outcome: Sendable, Equatable {
    case relation(RelationOutcome)
    /// The account is the viewer's own.
    case oneself
  }

  /// `$2` username, `$3` id, `$4` `$5` the allowance.
  public static let sql = """
    with \(Viewer.expression),
    present as (
      \(Following.present)
    ),
    blocked as (
      select max(until) as until from (\(Throttle.spentUntil("follows_account", subject: subject, max: "$4::integer"))) as spent
      where exists (select from present where not is_followed)
    ),
    start as (
      select true from present, blocked where blocked.until is null and not present.is_followed and not present.is_oneself
    ),
    \(Throttle.count("follows_account", subject: subject, max: "$4::integer", seconds: "$5::double precision", after: "start")),
    \(Following.locks(if: "exists (select from follows_account_passed)")),
    followed as (
      insert into follow (id, follower_id, followee_id)
      select $3::uuid, viewer.id, present.id from viewer, present where (select count(*) from locked) = 2
      on conflict (follower_id, followee_id) do nothing
      returning follower_id, followee_id
    ),
    \(Following.count("followed", by: "+ 1"))
    select \(Viewer.column), exists (select from present) as is_there,
           blocked.until is not null or exists (select from start) and not exists (select from follows_account_passed) as is_spent,
           \(Throttle.spent("'follows_account'")),
           exists (select from present where is_oneself) as is_oneself
    from viewer
    cross join blocked
    """

  private static let subject = "(select id::text from viewer)"

  /// The account that is followed, by many at once.
  public var contendedRow: ContendedRow? { username.map { ContendedRow(named: $0.text) } }

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
    parameters.append(id)
    parameters.append(allowance)
  }

  public func found(in rows: Rows) -> Outcome {
    var row = rows[0]
    row.skip(5)
    return row.bool() ? .oneself : .relation(RelationOutcome(rows))
  }
}

/// The shared part of the statements that follow and unfollow.
enum Following {
  /// The enabled account named `$2`, whether it is the viewer's own, and whether the viewer follows it.
  static let present = """
    select account.id, account.id = viewer.id as is_oneself, exists (
        select from follow where follow.follower_id = viewer.id and follow.followee_id = account.id
      ) as is_followed
    from viewer
    join account on account.username = $2::text and account.disabled_at is null
    """

  /// `locked`: both accounts' rows, in the order of their ids, so that no two such statements wait for each other. Who
  /// has been disabled meanwhile is not among them.
  static func locks(if condition: String) -> String {
    """
    locked as materialized (
      select account.id from account
      where (account.id = (select id from viewer) or account.id = (select id from present))
        and account.disabled_at is null and \(condition)
      order by account.id
      for no key update
    )
    """
  }

  /// Counts what `relation` has added or taken away, on both sides.
  static func count(_ relation: String, by change: String) -> String {
    """
    counted as (
      update account
      set following_count = following_count + case when account.id = \(relation).follower_id then 0 \(change) else 0 end,
          follower_count = follower_count + case when account.id = \(relation).followee_id then 0 \(change) else 0 end
      from \(relation)
      where account.id in (\(relation).follower_id, \(relation).followee_id)
    )
    """
  }
}
