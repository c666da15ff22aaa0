public import Postgres
import Values

/// Ends all sessions of an account, also one that is just being opened, and answers how many were good; nil when there
/// is no such account.
public struct EndNamedSessions: OperatorStatement {
  public let named: NamedAccount
  public let stamp: AuditStamp

  public init(named: NamedAccount, stamp: AuditStamp) {
    self.named = named
    self.stamp = stamp
  }

  public static let sql = """
    with \(NamedAccount.expression),
    moved as (
      update account set session_epoch = account.session_epoch + 1 from named where account.id = named.id
      returning account.id
    ),
    ended as (
      delete from session using named where session.account_id = named.id
      returning session.epoch = named.session_epoch and session.expires_at > now() as was_good
    ),
    counted as (
      select moved.id, (select count(*)::integer from ended where was_good) as sessions from moved
    ),
    \(Audit.record(
      .sessionEnded, id: "$4", address: "$5", account: "counted.id", detail: "'all: ' || counted.sessions",
      from: "counted"))
    select sessions from counted
    """

  public func decode(_ rows: Rows) -> Int? {
    rows.first.map { first in
      var row = first
      return row.int32()
    }
  }
}
