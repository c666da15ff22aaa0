import CPostgres

/// Poolers such as PgBouncer, which lend a connection of the server to one client after the other.
///
/// With a new transaction may come another connection of the server. What was prepared on the last one is not there,
/// and under its name may stand what a program of another version has prepared.
enum Pooler {
  /// How long PostgreSQL's answer may take. A pooler accepts clients also while its server is away.
  static let answerMilliseconds = 2_000

  /// Whether one stands between this connection and PostgreSQL; nil when no answer comes.
  ///
  /// PostgreSQL tells each client the number of the process that serves it. A pooler tells a number of its own.
  static func isBetween(_ link: OpaquePointer) -> Bool? {
    let deadline = ContinuousClock.now + .milliseconds(answerMilliseconds)
    guard case .row(let row) = Question.ask(link, "select pg_backend_pid()", until: deadline) else { return nil }
    return row != ["\(PQbackendPID(link))"]
  }
}

extension BlockingConnection {
  /// Whether a pooler such as PgBouncer stands between, in whatever mode; false also when the connection broke.
  public var isPooled: Bool { Pooler.isBetween(handle) ?? false }
}
