public import Log

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Brings a database to the schema of this binary, beside nodes that serve on it. Any number may run at once; each
/// migration is applied once.
///
/// Each migration and its row in `schema_migration` are one transaction, under an advisory lock that the transaction
/// holds: nothing is half applied, a migrator that dies leaves no lock, and poolers that lend a server connection for one
/// transaction work too. It needs no more rights than those of the database's owner. What cannot be done in a transaction
/// is done by a second connection, while that transaction is open: see ``Migration/Manner``.
public struct Migrator: Sendable {
  /// The key of the advisory lock: the ASCII bytes of "roost", as a number. It is a lock of this database only.
  public static let lockKey = 0x72_6f_6f_73_74
  /// How long a statement waits for the lock on a table. All that want the table meanwhile are queued behind it.
  public static let lockWaitMilliseconds = 400
  /// How long the others then have the table for themselves, before the next attempt.
  public static let pauseMilliseconds = 600
  /// Between two looks whether another migrator is done.
  static let lookMilliseconds = 50

  private let target: ConnectionTarget
  private let migrations: [Migration]
  private let lockWaitSecondsMax: Int
  private let log: Log

  /// `migrations` in order of version; attempts to get a lock end with `lockedOut` after `lockWaitSecondsMax`.
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

  /// Applies what is missing, up to `last` where one is named, and answers the files applied by this call, in order.
  ///
  /// A database with nothing to apply is only read, so this may run at each start.
  @discardableResult
  public func migrate(to last: Int = .max) throws(MigrationError) -> [String] {
    let connection = try connect()
    if case .current = try state(connection) { return [] }
    var applied: [String] = []
    var patience = Patience(secondsMax: lockWaitSecondsMax, log: log)
    while true {
      let step: Step
      do {
        step = try applyNext(connection, last)
      } catch {
        try? connection.run("rollback")
        guard error.isAboutLocks else { throw error }
        step = .inTheWay(milliseconds: Self.pauseMilliseconds)
      }
      switch step {
      case .applied(let file):
        applied.append(file)
        patience = Patience(secondsMax: lockWaitSecondsMax, log: log)
      case .nothingLeft: return applied
      case .inTheWay(let milliseconds): try patience.wait(milliseconds: milliseconds)
      }
    }
  }

  /// What came of one attempt.
  private enum Step {
    case applied(String)
    case nothingLeft
    /// Somebody has a lock; worth another attempt after so long.
    case inTheWay(milliseconds: Int)
  }

  /// One transaction: takes the lock, looks at what is applied, and applies the next one.
  private func applyNext(_ connection: BlockingConnection, _ last: Int) throws(MigrationError) -> Step {
    do throws(PostgresError) {
      // A snapshot taken before the lock was granted would not show what the migrator before us has applied.
      try connection.run("begin isolation level read committed read write")
      try connection.setLimits(lockMilliseconds: Self.lockWaitMilliseconds, inTransaction: true)
      // Whoever waited for it in PostgreSQL would have a snapshot, and an index that is made concurrently waits for those.
      guard try connection.value("select pg_try_advisory_xact_lock(\(Self.lockKey))") == "t" else {
        try connection.run("rollback")
        return .inTheWay(milliseconds: Self.lookMilliseconds)
      }
      if try !isTableThere(connection) { try connection.run(Self.table) }
    } catch { throw .database(error) }

    let next: Migration
    switch try state(connection) {
    case .newer(let version, let known): throw .newer(database: version, binary: known)
    case .behind(let version, _) where version < last: next = migrations[version]
    case .behind, .current:
      do { try connection.run("commit") } catch { throw .database(error) }
      return .nothingLeft
    }

    let started = ContinuousClock.now
    do throws(PostgresError) {
      // The last answer with parameters keeps its snapshot until something follows, and an index would wait for that.
      try connection.run("select")
      switch next.manner {
      case .inOneTransaction: try connection.run(next.sql)
      case .oneByOne: try runOneByOne(next)
      case .inBatches: try runInBatches(next)
      }
      _ = try connection.rows(Self.record, ["\(next.version)", next.name, next.sql])
      try connection.run("commit")
    } catch {
      if case .unavailable = error { throw .database(error) }
      throw .failed(file: next.file, error)
    }
    let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
    log.info("migration_applied", ["file": .text(next.file), "milliseconds": .number(milliseconds)])
    return .applied(next.file)
  }

  /// The lock on the table that an index is made for keeps nobody from reading and writing, nor does waiting for it.
  private func runOneByOne(_ migration: Migration) throws(PostgresError) {
    let connection = try BlockingConnection(target)
    if !connection.isPooled {
      try connection.setLimits(lockMilliseconds: lockWaitSecondsMax * 1000, inTransaction: false)
    }
    for statement in migration.statements { try connection.run(statement) }
  }

  private func runInBatches(_ migration: Migration) throws(PostgresError) {
    let connection = try BlockingConnection(target)
    if !connection.isPooled {
      try connection.setLimits(lockMilliseconds: Self.lockWaitMilliseconds, inTransaction: false)
    }
    var started = ContinuousClock.now
    while try connection.change(migration.sql) > 0 {
      // As long a rest as the work took, so that the others have half of the time at least.
      usleep(UInt32(min((ContinuousClock.now - started) / .microseconds(1), 900_000)))
      started = .now
    }
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

extension BlockingConnection {
  /// Puts an end to waits for locks, and none to work that takes long, for this transaction or for the connection.
  fileprivate func setLimits(lockMilliseconds: Int, inTransaction isLocal: Bool) throws(PostgresError) {
    _ = try rows(
      """
      select set_config(name, case name when 'lock_timeout' then $1 else '0' end, $2::boolean) from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
      """, ["\(lockMilliseconds)", "\(isLocal)"])
  }
}
