import Postgres
import Synchronization
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Somebody who looks at a table for a while, in one transaction, as a backup does.
final class Reader: Sendable {
  private let isReading = Atomic(false)
  private let isOver = Atomic(false)

  var isDone: Bool { isOver.load(ordering: .acquiring) }

  /// Returns once the transaction has begun; it ends after so many milliseconds.
  init(_ table: String, of database: TestDatabase, milliseconds: UInt32) throws {
    let target = database.target
    inBackground { [self] in
      defer { isOver.store(true, ordering: .releasing) }
      guard let connection = try? BlockingConnection(target) else { return }
      try? connection.run("begin isolation level repeatable read; select * from \(table)")
      isReading.store(true, ordering: .releasing)
      usleep(milliseconds * 1_000)
      // Said before it is so, since others go on at the very moment that it is.
      isOver.store(true, ordering: .releasing)
      try? connection.run("commit")
    }
    while !isReading.load(ordering: .acquiring), !isDone { usleep(1_000) }
    guard isReading.load(ordering: .acquiring) else { throw PostgresError.unavailable("the reader cannot read") }
  }
}
