import Postgres
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether something comes true within some seconds. Asks again and again.
func eventually(withinSeconds seconds: Int = 15, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}

func sleepMilliseconds(_ milliseconds: UInt32) { usleep(milliseconds * 1_000) }

/// A table that lets nobody write until it is released.
final class TableLock {
  private let connection: BlockingConnection

  init(_ table: String, _ target: ConnectionTarget) throws {
    connection = try BlockingConnection(target)
    try connection.run("begin")
    try connection.run("lock table \(table) in exclusive mode")
  }

  func release() throws { try connection.run("commit") }
}
