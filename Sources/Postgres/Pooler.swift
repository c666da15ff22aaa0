import CPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
    guard PQsendQuery(link, "select pg_backend_pid()") == 1 else { return nil }
    let deadline = ContinuousClock.now + .milliseconds(answerMilliseconds)
    var process: String?
    while waitForResult(link, until: deadline) {
      guard let pointer = PQgetResult(link) else { return process.map { $0 != "\(PQbackendPID(link))" } }
      let result = PGResult(pointer)
      guard result.status == PGRES_TUPLES_OK, PQntuples(result.pointer) == 1 else { return nil }
      process = PQgetvalue(result.pointer, 0, 0).map { String(cString: $0) }
    }
    return nil
  }

  private static func waitForResult(_ link: OpaquePointer, until deadline: ContinuousClock.Instant) -> Bool {
    while PQisBusy(link) == 1 {
      let left = Int32((deadline - .now) / .milliseconds(1))
      var descriptor = pollfd(fd: PQsocket(link), events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&descriptor, 1, left) >= 0 || errno == EINTR, PQconsumeInput(link) == 1 else { return false }
    }
    return true
  }
}

extension BlockingConnection {
  /// Whether a pooler such as PgBouncer stands between, in whatever mode; false also when the connection broke.
  public var isPooled: Bool { Pooler.isBetween(handle) ?? false }
}
