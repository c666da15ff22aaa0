import Log
import Postgres
import Schema
import Synchronization
import TestSupport
import Testing

struct MigratorTests {
  static let steps = [
    Migration(version: 1, name: "birds", sql: "create table bird (id integer); create table nest (id integer)"),
    Migration(version: 2, name: "eggs", sql: "create table egg (id integer)"),
    Migration(version: 3, name: "feathers", sql: "create table feather (id integer)"),
  ]

  func migrator(_ database: TestDatabase, _ migrations: [Migration] = steps, lockWaitSecondsMax: Int = 60) -> Migrator {
    Migrator(target: database.target, migrations: migrations, lockWaitSecondsMax: lockWaitSecondsMax, log: .off)
  }

  func tables(_ database: TestDatabase) throws -> [String?] {
    try database.rows(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1"
    )
    .map { $0[0] }
  }

  @Test func `a fresh database gets every migration once, in order`() throws {
    let database = try TestDatabase.empty()
    #expect(
      try migrator(database).state()
        == .behind(version: 0, pending: ["0001_birds.sql", "0002_eggs.sql", "0003_feathers.sql"]))
    #expect(try tables(database) == [])
    #expect(try migrator(database).migrate() == ["0001_birds.sql", "0002_eggs.sql", "0003_feathers.sql"])
    #expect(try tables(database) == ["bird", "egg", "feather", "nest", "schema_migration"])
    #expect(try migrator(database).state() == .current(version: 3))
    #expect(try migrator(database).migrate() == [])
    let rows = try database.rows("select version, name, sha256 from schema_migration order by version")
    #expect(rows.map { $0[1] } == ["birds", "eggs", "feathers"])
    // sha256sum of the first one.
    #expect(rows[0][2] == "ece6bdecf536775283dde5d4d3f1c666b06cd8da4faf794aacc194b01c2a82ac")
  }

  @Test func `a database that is behind gets only what is missing`() throws {
    let database = try TestDatabase.empty()
    try migrator(database, Array(Self.steps.prefix(2))).migrate()
    #expect(try migrator(database).state() == .behind(version: 2, pending: ["0003_feathers.sql"]))
    #expect(try migrator(database).migrate() == ["0003_feathers.sql"])
  }

  @Test func `a file that was changed after it was applied is refused by name`() throws {
    let database = try TestDatabase.empty()
    try migrator(database, Array(Self.steps.prefix(2))).migrate()
    var changed = Self.steps
    changed[1] = Migration(version: 2, name: "eggs", sql: "create table egg (id bigint)")
    #expect(throws: MigrationError.changed(file: "0002_eggs.sql")) { try migrator(database, changed).migrate() }
    #expect(throws: MigrationError.changed(file: "0002_eggs.sql")) { try migrator(database, changed).state() }
    #expect(try tables(database) == ["bird", "egg", "nest", "schema_migration"])
    #expect("\(MigrationError.changed(file: "0002_eggs.sql"))".contains("sql/0002_eggs.sql was changed"))
  }

  @Test func `a file that was renamed after it was applied is refused`() throws {
    let database = try TestDatabase.empty()
    try migrator(database).migrate()
    var renamed = Self.steps
    renamed[0] = Migration(version: 1, name: "hens", sql: Self.steps[0].sql)
    #expect(throws: MigrationError.renamed(file: "0001_hens.sql", applied: "0001_birds.sql")) {
      try migrator(database, renamed).migrate()
    }
  }

  @Test func `a migration that others overtook is refused`() throws {
    let database = try TestDatabase.empty()
    try migrator(database).migrate()
    _ = try database.rows("delete from schema_migration where version = 2")
    #expect(throws: MigrationError.skipped(file: "0002_eggs.sql")) { try migrator(database).migrate() }
  }

  @Test func `a database of a newer binary is reported, and never migrated`() throws {
    let database = try TestDatabase.empty()
    try migrator(database).migrate()
    let old = migrator(database, Array(Self.steps.prefix(2)))
    #expect(try old.state() == .newer(version: 3, known: 2))
    #expect(throws: MigrationError.newer(database: 3, binary: 2)) { try old.migrate() }
    #expect(try migrator(database).state() == .current(version: 3))
  }

  @Test func `a migration that fails leaves nothing, and those before it stay`() throws {
    let database = try TestDatabase.empty()
    let broken = Migration(version: 3, name: "broken", sql: "create table feather (id integer); select 1 / 0")
    let failure = #expect(throws: MigrationError.self) {
      try migrator(database, Self.steps.prefix(2) + [broken]).migrate()
    }
    guard case .failed("0003_broken.sql", .rejected("22012", _, _)) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try tables(database) == ["bird", "egg", "nest", "schema_migration"])
    #expect(try migrator(database).migrate() == ["0003_feathers.sql"])
  }

  @Test func `files must count from one without gaps`() throws {
    let database = try TestDatabase.empty()
    #expect(throws: MigrationError.misnumbered(file: "0003_feathers.sql")) {
      try migrator(database, [Self.steps[0], Self.steps[2]]).migrate()
    }
  }

  @Test func `twenty migrators at once apply each migration once`() throws {
    let database = try TestDatabase.empty()
    let applied = Mutex<[String]>([])
    let errors = Mutex<[String]>([])
    concurrently(20) { _ in
      do {
        let files = try migrator(database).migrate()
        applied.withLock { $0 += files }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(applied.withLock { $0.sorted() } == ["0001_birds.sql", "0002_eggs.sql", "0003_feathers.sql"])
    #expect(try migrator(database).state() == .current(version: 3))
  }

  @Test func `a lock that is never let go ends the wait with a clear error`() throws {
    let database = try TestDatabase.empty()
    let other = try BlockingConnection(database.target)
    _ = try other.rows("select pg_advisory_lock(\(Migrator.lockKey))")
    #expect(throws: MigrationError.lockedOut(seconds: 3)) { try migrator(database, lockWaitSecondsMax: 3).migrate() }
    #expect(try tables(database) == [])
    _ = try other.rows("select pg_advisory_unlock(\(Migrator.lockKey))")
    #expect(try migrator(database).migrate().count == 3)
  }

  @Test func `what is asked for is applied, and no more`() throws {
    let database = try TestDatabase.empty()
    #expect(try migrator(database).migrate(to: 2) == ["0001_birds.sql", "0002_eggs.sql"])
    #expect(try migrator(database).migrate(to: 1) == [])
    #expect(try migrator(database).state() == .behind(version: 2, pending: ["0003_feathers.sql"]))
    #expect(try migrator(database).migrate() == ["0003_feathers.sql"])
  }

  @Test func `a database that has applied an earlier form of a file is current`() throws {
    let database = try TestDatabase.empty()
    try migrator(database).migrate()
    let sha256 = try #require(try database.value("select sha256 from schema_migration where version = 2"))
    func reshaped(formerly: [String]) -> [Migration] {
      var migrations = Self.steps
      migrations[1] = Migration(version: 2, name: "eggs", sql: "create table egg (id int)", formerly: formerly)
      return migrations
    }
    #expect(try migrator(database, reshaped(formerly: ["0", sha256])).state() == .current(version: 3))
    #expect(throws: MigrationError.changed(file: "0002_eggs.sql")) {
      try migrator(database, reshaped(formerly: ["0"])).state()
    }
  }

  @Test func `the owner of a test's database is a plain role`() throws {
    let database = try TestDatabase.fresh()
    let rows = try database.rows(
      "select rolname, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls from pg_roles "
        + "where rolname = current_user")
    #expect(rows == [["roost_test_owner", "f"]])
    #expect(try Migrator(target: database.target, migrations: TestTemplate.migrations, log: .off).migrate() == [])
    #expect(try database.value("select count(*) from pg_extension where extname <> 'plpgsql'") == "0")
  }
}
