public import Postgres
public import Secrets

/// Ends all sessions of the viewer's but the one that asks, and answers how many those were.
public struct EndOtherSessions: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let stamp: AuditStamp

  public init(token: TokenDigest, stamp: AuditStamp) {
    self.token = token
    self.stamp = stamp
  }

  /// One event for all of them, with their number; none for none. Those that were over already are not counted.
  public static let sql = """
    with \(Viewer.expression),
    ended as (
      delete from session using viewer
      where session.account_id = viewer.id and session.token_digest <> $1
      returning session.epoch = viewer.session_epoch and session.expires_at > now() as was_good
    ),
    counted as (
      select viewer.id, count(*)::integer as sessions from viewer, ended where ended.was_good group by viewer.id
    ),
    \(Audit.record(
      .sessionEnded, id: "$2", address: "$3", account: "counted.id",
      detail: "'all others: ' || counted.sessions", from: "counted"))
    select \(Viewer.column), coalesce((select sessions from counted), 0) as sessions
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(stamp)
  }

  public func found(in rows: Rows) -> Int {
    var row = rows[0]
    row.skip()
    return row.int32()
  }
}
