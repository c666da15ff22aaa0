import Log
import Postgres
import Schema

/// The database that a configuration means.
struct Database {
  let config: Config.Database
  let log: Log

  /// Where to connect; nil when it is a private cluster, which must be started first.
  var target: ConnectionTarget? {
    if let url = config.url { return ConnectionTarget(url.text) }
    return config.isInEnvironment ? ConnectionTarget("") : nil
  }

  func migrator(_ target: ConnectionTarget) -> Migrator {
    Migrator(target: target, migrations: Self.migrations, log: log)
  }

  /// The files of `sql/` that this binary holds.
  static let migrations = Schema.files.map { Migration(version: $0.version, name: $0.name, sql: $0.sql) }
}
