import Log
public import Postgres
import Schema

/// The migrated database that each test's database is copied from. The first process of a run makes it, the others wait.
public enum TestTemplate {
  /// The plain role that owns the databases of tests.
  public static let owner = "roost_test_owner"

  /// The migrations that are compiled in.
  public static let migrations = Schema.files.map {
    Migration(version: $0.version, name: $0.name, sql: $0.sql, formerly: $0.formerly)
  }

  /// The template's name, made on first use.
  static let name = Result<String, any Error> { try make() }

  static func makeOwner() throws {
    let connection = try BlockingConnection(TestCluster.target())
    try withLock(connection) { try makeOwner(connection) }
  }

  private static func make() throws -> String {
    let cluster = try TestCluster.target()
    let connection = try BlockingConnection(cluster)
    let contents = migrations.map(\.sql).joined(separator: "\n")
    let hash = try connection.value("select left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 16)", [contents]) ?? ""
    let name = "roost_template_\(hash)"
    try withLock(connection) {
      if try connection.value("select 1 from pg_database where datname = $1", [name]) != nil { return }
      try makeOwner(connection)
      // Under another name until it is whole, so that an interrupted run leaves no half template.
      let unfinished = name + "_unfinished"
      try connection.run("drop database if exists \(unfinished) with (force)")
      try connection.run("create database \(unfinished) template template0 owner \(owner)")
      let target = cluster.with(database: unfinished).with(user: owner)
      try Migrator(target: target, migrations: migrations, log: .off).migrate()
      // The server notices a closed connection a moment later, and renames no database in use.
      try connection.run("alter database \(unfinished) allow_connections false")
      _ = try connection.rows(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [unfinished])
      try connection.run("alter database \(unfinished) rename to \(name)")
      try connection.run("alter database \(name) is_template true")
    }
    return name
  }

  private static func makeOwner(_ connection: BlockingConnection) throws(PostgresError) {
    if try connection.value("select 1 from pg_roles where rolname = $1", [owner]) != nil { return }
    try connection.run("create role \(owner) login")
  }

  /// One process at a time. The lock ends with the connection, if not before.
  private static func withLock(_ connection: BlockingConnection, _ body: () throws -> Void) throws {
    _ = try connection.rows("select pg_advisory_lock(\(Migrator.lockKey))")
    try body()
    _ = try connection.rows("select pg_advisory_unlock(\(Migrator.lockKey))")
  }
}
