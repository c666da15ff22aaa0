public import Postgres

/// What there is, for metrics: counted where that is cheap, and otherwise as PostgreSQL estimates it.
public struct ReadStatistics: ReadStatement {
  public init() {}

  /// More letters that wait are not counted.
  public static let lettersMax = 10_000

  /// What there is.
  public struct Statistics: Sendable, Equatable {
    /// Letters that wait to be sent, at most ``lettersMax``.
    public let lettersWaiting: Int
    /// For how long the oldest of them has waited, in microseconds.
    public let oldestLetterMicroseconds: Int
    /// Estimated at the last `analyze`; 0 before the first.
    public let accounts: Int
    /// Estimated likewise, those that are over and not yet swept included.
    public let sessions: Int
  }

  public static let sql = """
    with waiting as (
      select created_at from outbox
      where sent_at is null and given_up_at is null and next_attempt_at < 'infinity'
      limit \(lettersMax)
    )
    select (select count(*) from waiting),
           (select coalesce(extract(epoch from now() - min(created_at)) * 1000000, 0)::bigint from waiting),
           (select greatest(reltuples, 0)::bigint from pg_class where oid = 'account'::regclass),
           (select greatest(reltuples, 0)::bigint from pg_class where oid = 'session'::regclass)
    """

  public func bind(to parameters: inout Parameters) {}

  public func decode(_ rows: Rows) -> Statistics {
    var row = rows[0]
    return Statistics(
      lettersWaiting: row.int64(), oldestLetterMicroseconds: row.int64(), accounts: row.int64(), sessions: row.int64())
  }
}
