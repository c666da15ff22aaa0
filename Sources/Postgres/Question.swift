import CPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One query on a connection that nobody else uses yet, with an end to the wait: a server may accept and then say nothing.
enum Question {
  enum Answer {
    /// The values of the one row.
    case row([String])
    /// The server refused, or answered something else than one row without nulls.
    case refused
    case none
  }

  static func ask(_ link: OpaquePointer, _ sql: String, until deadline: ContinuousClock.Instant) -> Answer {
    guard PQsendQuery(link, sql) == 1 else { return .none }
    var answer = Answer.refused
    while waitForResult(link, until: deadline) {
      guard let pointer = PQgetResult(link) else { return PQstatus(link) == CONNECTION_OK ? answer : .none }
      answer = row(PGResult(pointer)).map(Answer.row) ?? .refused
    }
    return .none
  }

  private static func row(_ result: consuming PGResult) -> [String]? {
    guard result.status == PGRES_TUPLES_OK, PQntuples(result.pointer) == 1 else { return nil }
    var values: [String] = []
    for column in 0..<PQnfields(result.pointer) {
      guard PQgetisnull(result.pointer, 0, column) == 0, let value = PQgetvalue(result.pointer, 0, column) else {
        return nil
      }
      values.append(String(cString: value))
    }
    return values
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
