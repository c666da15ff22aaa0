import Log
import Postgres
import TestSupport
import Testing

/// Migrations that do not run in one transaction.
@Suite(.timeLimit(.minutes(5))) struct MigrationMannerTests {
  let database: TestDatabase

  init() throws {
    database = try TestDatabase.empty()
    try BlockingConnection(database.target).run(
      "create table bird (id integer, wings integer); insert into bird select n from generate_series(1, 2500) as n")
  }

  func migrator(_ migrations: Migration...) -> Migrator {
    Migrator(target: database.target, migrations: migrations, lockWaitSecondsMax: 30, log: .off)
  }

  static let index = Migration(
    version: 1, name: "index",
    sql: """
      -- An index.
      -- runs: one by one

      drop index concurrently if exists bird_id_idx;
      create unique index concurrently bird_id_idx
        on bird (id);
      drop table if exists egg;
      """)

  static let wings = Migration(
    version: 1, name: "wings",
    sql: """
      -- Two wings each.
      -- runs: in batches

      update bird set wings = 2 where id in (select id from bird where wings is null limit 1000);
      """)

  /// Whether the index is there and may be used; nil when there is none.
  func isValid() throws -> String? {
    try database.value("select indisvalid from pg_index where indexrelid = to_regclass('bird_id_idx')")
  }

  func version() throws -> String? {
    try database.value("select coalesce(max(version), 0) from schema_migration")
  }

  @Test func `the second line of a file says how it runs`() {
    #expect(Self.index.manner == .oneByOne)
    #expect(Self.wings.manner == .inBatches)
    for top in ["", "-- runs: one by one", "-- A\n-- runs: by night", "-- A\n\n-- runs: one by one"] {
      let sql = top + "\nselect 1"
      #expect(Migration(version: 1, name: "a", sql: sql).manner == .inOneTransaction)
    }
  }

  @Test func `statements run one by one outside of any transaction, and are noted at the end`() throws {
    #expect(try migrator(Self.index).migrate() == ["0001_index.sql"])
    #expect(try isValid() == "t")
    #expect(try migrator(Self.index).state() == .current(version: 1))
    #expect(try migrator(Self.index).migrate() == [])
  }

  @Test func `one that fails half-way is not noted, and begins anew`() throws {
    try BlockingConnection(database.target).run("insert into bird values (1)")
    let failure = #expect(throws: MigrationError.self) { try migrator(Self.index).migrate() }
    guard case .failed("0001_index.sql", .rejected("23505", _, _)) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try isValid() == "f", "PostgreSQL leaves a useless index behind")
    _ = try database.rows("delete from bird where ctid in (select max(ctid) from bird where id = 1)")
    #expect(try migrator(Self.index).migrate() == ["0001_index.sql"])
    #expect(try isValid() == "t")
  }

  @Test func `an index is made beside a migrator that waits`() throws {
    // What the index has to wait for, so that others come while it is being made.
    let reader = try Reader("bird", of: database, milliseconds: 1_500)
    let migrator = migrator(Self.index)
    let outcomes = outcomes(of: 4) {
      let files = try migrator.migrate()
      #expect(files == [] || reader.isDone)
      return files.joined()
    }
    #expect(outcomes.sorted() == ["", "", "", "0001_index.sql"])
    #expect(try isValid() == "t")
  }

  @Test func `rows are filled in by parts, each committed before the next`() throws {
    // The second part fails: what it would change stays as it was, what the first has changed is kept.
    try BlockingConnection(database.target).run(
      """
      create function refuse() returns trigger language plpgsql as $$
      begin
        if (select count(*) from bird where wings = 2) > 1000 then raise 'enough'; end if;
        return null;
      end
      $$;
      create trigger refuse after update on bird for each statement execute function refuse();
      """)
    #expect(throws: MigrationError.self) { try migrator(Self.wings).migrate() }
    #expect(try database.value("select count(*) from bird where wings = 2") == "1000")
    _ = try database.rows("drop trigger refuse on bird")
    #expect(try migrator(Self.wings).migrate() == ["0001_wings.sql"])
    #expect(try database.value("select count(*) from bird where wings = 2") == "2500")
    #expect(try version() == "1")
  }

  /// What `count` calls at once answer; errors as texts.
  private func outcomes(of count: Int, _ body: @escaping @Sendable () throws -> String) -> [String] {
    let found = Collected()
    concurrently(count) { _ in
      do { found.add(try body()) } catch { found.add("\(error)") }
    }
    return found.all
  }
}
