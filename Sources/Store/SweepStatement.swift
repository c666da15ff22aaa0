public import Postgres

/// Deletes a batch of rows whose time is over, and answers how many it has deleted.
///
/// Rows that another node, or a request, has in hand are left for the next time, so that nobody waits for a sweep and
/// no two nodes sweep the same rows.
public protocol SweepStatement: WriteStatement where Answer == Int {
  /// The most rows that one run deletes.
  var rowsMax: Int { get }
}

extension SweepStatement {
  public func bind(to parameters: inout Parameters) {
    parameters.append(Int64(rowsMax))
  }

  public func decode(_ rows: Rows) -> Int {
    var row = rows[0]
    return row.int32()
  }

  /// `$1` is the most rows. `time` is what the rows are found by, by an index, and `isOver` the condition on it.
  ///
  /// The rows are locked first, so that their place in the table is good until they are deleted.
  fileprivate static func delete(from table: String, by time: String, where isOver: String) -> String {
    """
    with deleted as (
      delete from \(table)
      where ctid = any (array(
        select ctid from \(table) where \(isOver) order by \(time) limit $1::bigint for update skip locked
      ))
      returning true
    )
    select count(*)::integer as rows from deleted
    """
  }
}

/// Sessions that have expired.
public struct SweepSessions: SweepStatement {
  public let rowsMax: Int

  public init(rowsMax: Int) { self.rowsMax = rowsMax }

  public static let sql = delete(from: "session", by: "expires_at", where: "expires_at <= now()")
}

/// Mailed links that have expired.
public struct SweepLinks: SweepStatement {
  public let rowsMax: Int

  public init(rowsMax: Int) { self.rowsMax = rowsMax }

  public static let sql = delete(from: "link", by: "expires_at", where: "expires_at <= now()")
}

/// Counts that would begin anew at the next use.
public struct SweepThrottle: SweepStatement {
  public let rowsMax: Int

  public init(rowsMax: Int) { self.rowsMax = rowsMax }

  public static let sql = delete(from: "throttle", by: "resets_at", where: "resets_at <= now()")
}

/// Letters that were sent, or given up, more than a week ago.
public struct SweepOutbox: SweepStatement {
  public let rowsMax: Int

  public init(rowsMax: Int) { self.rowsMax = rowsMax }

  public static let sql = delete(
    from: "outbox", by: "coalesce(sent_at, given_up_at)",
    where: """
      (sent_at is not null or given_up_at is not null)
        and coalesce(sent_at, given_up_at) < now() - interval '7 days'
      """)
}

/// Events of the audit that are older than their retention.
public struct SweepAudit: SweepStatement {
  public let rowsMax: Int
  public let retentionDays: Int

  public init(rowsMax: Int, retentionDays: Int) {
    self.rowsMax = rowsMax
    self.retentionDays = retentionDays
  }

  public static let sql = delete(
    from: "audit_event", by: "created_at",
    where: "created_at < now() - make_interval(days => $2::integer)")

  public func bind(to parameters: inout Parameters) {
    parameters.append(Int64(rowsMax))
    parameters.append(Int32(clamping: retentionDays))
  }
}
