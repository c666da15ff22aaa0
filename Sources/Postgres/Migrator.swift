public import Log

/// Brings a database to the schema of this binary. Any number may run at once; each migration is applied once.
///
/// Each migration and its row in `schema_migration` are one transaction, under an advisory lock that the transaction
/// holds: nothing is half applied, a migrator that dies leaves no lock, and poolers that lend a server connection for one
/// transaction work too. It needs no more rights than those of the database's owner.
public struct Migrator: Sendable {
  /// The key of the advisory lock: the ASCII bytes of "roost", as a number. It is a lock of this database only.
  public static let lockKey = 0x72_6f_6f_73_74
  /// How long one attempt waits for a lock before it says so in the log and starts anew, so that other sessions are not
  /// queued behind it for longer.
  public static let lockWaitSeconds = 3

  private let target: ConnectionTarget
  private let migrations: [Migration]
  private let lockWaitSecondsMax: Int
  private let log: Log

  /// `migrations` in order of version; the waits for locks end with `lockedOut` after `lockWaitSecondsMax`.
  public init(target: ConnectionTarget, migrations: [Migration], lockWaitSecondsMax: Int = 300, log: Log) {
    self.target = target
    self.migrations = migrations
    self.lockWaitSecondsMax = lockWaitSecondsMax
    self.log = log
  }

  /// How the database stands, without changing anything and without any lock.
  public func state() throws(MigrationError) -> SchemaState {
    try state(connect())
  }

  /// Applies what is missing and answers the files applied by this call, in order.
  ///
  /// A database with nothing to apply is only read, so this may run at each start.
  @discardableResult
  public func migrate() throws(MigrationError) -> [String] {
    let connection = try connect()
    if case .current = try state(connection) { return [] }
    var applied: [String] = []
    var waitedSeconds = 0
    while true {
      do {
        guard let file = try applyNext(connection) else { return applied }
        applied.append(file)
      } catch {
        try? connection.run("rollback")
        guard error.isLockTimeout else { throw error }
        waitedSeconds += Self.lockWaitSeconds
        guard waitedSeconds < lockWaitSecondsMax else { throw .lockedOut(seconds: waitedSeconds) }
        log.info("migration_waits_for_lock", ["waitedSeconds": .number(waitedSeconds)])
      }
    }
  }

  /// One transaction: takes the lock, looks at what is applied, and applies the next one; nil when all are.
  private func applyNext(_ connection: BlockingConnection) throws(MigrationError) -> String? {
    do throws(PostgresError) {
      // A snapshot taken before the lock was granted would not show what the migrator before us has applied.
      try connection.run("begin isolation level read committed read write")
      try connection.run("set local lock_timeout = '\(Self.lockWaitSeconds)s'; set local statement_timeout = 0")
      _ = try connection.rows("select pg_advisory_xact_lock(\(Self.lockKey))")
      if try !isTableThere(connection) { try connection.run(Self.table) }
    } catch { throw .database(error) }

    let next: Migration
    switch try state(connection) {
    case .newer(let version, let known): throw .newer(database: version, binary: known)
    case .behind(let version, _): next = migrations[version]
    case .current:
      do { try connection.run("commit") } catch { throw .database(error) }
      return nil
    }

    let started = ContinuousClock.now
    do throws(PostgresError) {
      try connection.run(next.sql)
      _ = try connection.rows(Self.record, ["\(next.version)", next.name, next.sql])
      try connection.run("commit")
    } catch {
      if case .unavailable = error { throw .database(error) }
      throw .failed(file: next.file, error)
    }
    let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
    log.info("migration_applied", ["file": .text(next.file), "milliseconds": .number(milliseconds)])
    return next.file
  }

  private func connect() throws(MigrationError) -> BlockingConnection {
    for (index, migration) in migrations.enumerated() where migration.version != index + 1 {
      throw .misnumbered(file: migration.file)
    }
    do { return try BlockingConnection(target) } catch { throw .database(error) }
  }

  private func state(_ connection: BlockingConnection) throws(MigrationError) -> SchemaState {
    var rows: [[String?]] = []
    var hashes: [String] = []
    do throws(PostgresError) {
      if try isTableThere(connection) {
        rows = try connection.rows("select version, name, sha256 from schema_migration order by version")
        for migration in migrations {
          hashes.append(try connection.value("select \(Self.hash("$1"))", [migration.sql]) ?? "")
        }
      }
    } catch { throw .database(error) }
    let applied = rows.map {
      SchemaState.Applied(version: $0[0].flatMap { Int($0) } ?? 0, name: $0[1] ?? "", sha256: $0[2] ?? "")
    }
    return try SchemaState(applied: applied, migrations: migrations, hashes: hashes)
  }

  private func isTableThere(_ connection: BlockingConnection) throws(PostgresError) -> Bool {
    try connection.value("select to_regclass('schema_migration') is not null") == "t"
  }

  /// The server computes the hash, since this layer has no cryptography of its own.
  private static func hash(_ parameter: String) -> String {
    "encode(sha256(convert_to(\(parameter)::text, 'UTF8')), 'hex')"
  }

  private static let record =
    "insert into schema_migration (version, name, sha256) values ($1::integer, $2, \(hash("$3")))"

  private static let table = """
    create table if not exists schema_migration (
      version integer not null,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now(),
      constraint schema_migration_key primary key (version)
    );
    comment on table schema_migration is 'The files of sql/ that this database has applied, in order';
    comment on column schema_migration.version is 'The number at the start of the file name, from 1 without gaps';
    comment on column schema_migration.name is 'The rest of the file name, without .sql';
    comment on column schema_migration.sha256 is 'SHA-256 of the file as applied, in hex: a file never changes afterwards';
    comment on column schema_migration.applied_at is 'When its transaction began';
    """
}
