import Log
import Postgres
import Store
import TestSupport
import Testing

/// What each migration does to a database that is in use: nothing that takes the longer the more rows there are may keep
/// others from their tables.
@Suite(.timeLimit(.minutes(5))) struct UpgradeTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase.empty() }

  func migrate(to version: Int) throws {
    try Migrator(target: database.target, migrations: TestTemplate.migrations, log: .off).migrate(to: version)
  }

  /// The tables that are there, with the files that hold their rows.
  func files() throws -> [String: String] {
    let rows = try database.rows(
      "select relname, relfilenode from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0]!, $0[1]!) })
  }

  /// Puts rows into each table that is there.
  func populate() throws {
    let connection = try BlockingConnection(database.target)
    for statement in CatalogueTests.population.split(separator: ";\n") {
      let table = try #require(statement.firstMatch(of: #/insert into (\w+)/#)).1
      let isThere = try connection.value("select to_regclass($1) is not null", [String(table)]) == "t"
      guard isThere, try connection.value("select exists (select from \(table))") == "f" else { continue }
      try connection.run(String(statement))
    }
  }

  /// Which of the tables in `files` the statements read while they hold a lock that keeps others from reading or writing.
  /// What they do is taken back.
  func walks(_ sql: String, among files: [String: String]) throws -> [String] {
    // A connection counts what it has read since it last told the server, hence a new one.
    let connection = try BlockingConnection(database.target)
    try connection.run("begin; \(sql)")
    defer { try? connection.run("rollback") }
    let locked = try connection.rows(
      """
      select distinct relname from pg_locks
      join pg_class on pg_class.oid = relation and relkind = 'r' and relnamespace = 'public'::regnamespace
      where pid = pg_backend_pid() and pg_stat_get_xact_tuples_returned(pg_class.oid) > 0
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      order by 1
      """)
    return locked.map { $0[0]! }.filter { files[$0] != nil }
  }

  @Test func `no migration walks through rows or rewrites them while it keeps others from their table`() throws {
    for migration in TestTemplate.migrations {
      try populate()
      let before = try files()
      if migration.manner == .inOneTransaction {
        #expect(try walks(migration.sql, among: before) == [], "\(migration.file)")
      }
      try migrate(to: migration.version)
      for (table, file) in try files() where before[table] != nil {
        #expect(before[table] == file, "\(migration.file) writes all of \(table) anew")
      }
    }
    #expect(try files().count > 10)
  }

  @Test func `it is seen whether statements walk through a table that others want`() throws {
    try migrate(to: .max)
    try populate()
    for (sql, tables) in [
      ("create index on tweet (text)", ["tweet"]),
      ("alter table account add constraint account_bio_short check (octet_length(bio) < 99)", ["account"]),
      ("alter table follow alter column id type text", ["follow"]),
      ("alter table account add constraint account_bio_short check (octet_length(bio) < 99) not valid", []),
      ("alter table account add column nickname text not null default ''", []),
      ("alter table account validate constraint account_language_known", []),
    ] {
      #expect(try walks(sql, among: files()) == tables, "\(sql)")
    }
  }

  @Test func `no migration takes from an older binary what it reads, or demands what it does not write`() throws {
    var before: [String: Column] = [:]
    for migration in TestTemplate.migrations {
      try migrate(to: migration.version)
      let after = try columns()
      for (name, column) in before {
        #expect(after[name]?.type == column.type, "\(migration.file): \(name) is gone, or of another type")
        #expect(after[name]?.isDemanded == column.isDemanded, "\(migration.file): \(name) may be null, or may not be")
        #expect(after[name]?.rules == column.rules, "\(migration.file): other rules for \(name)")
      }
      let tables = Set(before.keys.map { $0.prefix { $0 != "." } })
      for (name, column) in after where before[name] == nil && tables.contains(name.prefix { $0 != "." }) {
        #expect(!column.isDemanded, "\(migration.file): an older binary writes no \(name)")
      }
      before = after
    }
    #expect(before["account.username"]?.rules == ["account_username_form", "account_username_key"])
    #expect(before["account.username"]?.isDemanded == true && before["account.language"]?.isDemanded == false)
  }

  /// A column of a table, as those who write rows meet it.
  struct Column: Equatable {
    let type: String
    /// Whether each new row has to name it.
    let isDemanded: Bool
    /// What else a row is refused for that holds this column: constraints and unique indexes, by name.
    let rules: [String]
  }

  func columns() throws -> [String: Column] {
    let rows = try database.rows(
      """
      select relname || '.' || attname, format_type(atttypid, atttypmod), attnotnull and not atthasdef,
        array_to_string(array(
          select conname from pg_constraint where conrelid = attrelid and attnum = any (conkey) and contype <> 'n'
          union
          select indexrelid::regclass::text from pg_index
          where indrelid = attrelid and indisunique and attnum = any (indkey)
          order by 1
        ), ' ')
      from pg_attribute
      join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
      where attnum > 0 and not attisdropped and relname <> 'schema_migration'
      """)
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let rules = row[3]!.split(separator: " ").map(String.init)
        return (row[0]!, Column(type: row[1]!, isDemanded: row[2] == "t", rules: rules))
      })
  }

  @Test func `a database that has applied the earlier forms of files has the same schema`() throws {
    let former = TestTemplate.migrations.map { migration in
      Migration(version: migration.version, name: migration.name, sql: migration.formerSQL)
    }
    let old = try TestDatabase.empty()
    try Migrator(target: old.target, migrations: former, log: .off).migrate()
    #expect(
      try Migrator(target: old.target, migrations: TestTemplate.migrations, log: .off).state()
        == .current(version: former.count))
    let changed = zip(former, TestTemplate.migrations).filter { $0.sql != $1.sql }.map { $0.0.version }
    #expect(changed == TestTemplate.migrations.filter { !$0.formerly.isEmpty }.map(\.version))
    #expect(changed == [3, 6, 9])
    try migrate(to: .max)
    #expect(try schema(of: old) == schema(of: database))
  }

  /// Every column, constraint and index, in words.
  private func schema(of database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      select format('%s.%s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull)
      from pg_attribute where attnum > 0 and not attisdropped
        and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      select format('%s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select format('%s %s', indisvalid, pg_get_indexdef(indexrelid)) from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      order by 1
      """
    ).map { $0[0]! }
  }
}

extension Migration {
  /// What a file was that has been made to keep nobody from a table: one transaction that did the same.
  fileprivate var formerSQL: String {
    guard !formerly.isEmpty else { return sql }
    guard manner == .oneByOne else { return sql.replacing(" not valid", with: "") }
    let lines = sql.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line == "-- runs: one by one" { return false }
      guard let name = line.wholeMatch(of: #/drop index concurrently if exists (\w+);/#)?.1 else { return true }
      return !sql.contains("create index concurrently \(name) ")
    }
    return lines.joined(separator: "\n").replacing("drop index concurrently if exists", with: "drop index")
      .replacing("concurrently ", with: "")
  }
}
