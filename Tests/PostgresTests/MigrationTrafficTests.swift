import Log
import Postgres
import Synchronization
import TestSupport
import Testing

/// Migrations beside those who read and write meanwhile.
@Suite(.timeLimit(.minutes(5))) struct MigrationTrafficTests {
  static let column = Migration(version: 1, name: "column", sql: "alter table bird add column wings integer")

  @Test func `whoever wants a table that a migration waits for is not queued behind it for long`() throws {
    let database = try TestDatabase.empty()
    try BlockingConnection(database.target).run("create table bird (id integer); insert into bird values (1)")
    let reader = try Reader("bird", of: database, milliseconds: 3_000)
    let slowest = Mutex(Duration.zero)
    let isApplied = Atomic(false)
    let count = Atomic(0)
    let target = database.target
    let applied = Collected()
    concurrently(2) { index in
      do {
        if index == 0 {
          let migrator = Migrator(target: target, migrations: [Self.column], lockWaitSecondsMax: 30, log: .off)
          for file in try migrator.migrate() { applied.add(file) }
          #expect(reader.isDone, "it was in the way")
          isApplied.store(true, ordering: .releasing)
        } else {
          let connection = try BlockingConnection(target)
          while !isApplied.load(ordering: .acquiring) {
            let start = ContinuousClock.now
            try connection.run("update bird set id = id + 1")
            slowest.withLock { $0 = max($0, .now - start) }
            count.add(1, ordering: .relaxed)
          }
        }
      } catch {
        applied.add("\(error)")
        isApplied.store(true, ordering: .releasing)
      }
    }
    #expect(applied.all == ["0001_column.sql"])
    #expect(try database.value("select count(wings) from bird") == "0")
    #expect(slowest.withLock { $0 } < .seconds(1))
    #expect(count.load(ordering: .relaxed) > 100, "between the attempts the table is free")
  }
}
