import Log
import Postgres
import Schema

/// The database that a configuration means, ready to be connected to.
struct Database: Sendable {
  let target: ConnectionTarget
  /// The private cluster, started; it runs on for as long as some process has it and has not released it.
  let cluster: LocalCluster?

  /// Starts the private cluster where the configuration means that one. Blocks, for some seconds when it is made.
  init(_ config: Config.Database, log: Log) throws(LocalClusterError) {
    if let known = Self.target(config) {
      target = known
      cluster = nil
    } else {
      let cluster = try LocalCluster(dataFolder: config.dataDirectory, log: log)
      try cluster.start()
      target = cluster.target
      self.cluster = cluster
    }
  }

  /// Where the configuration says the database is; nil when it is the private cluster's.
  static func target(_ config: Config.Database) -> ConnectionTarget? {
    if let url = config.url { return ConnectionTarget(url.text) }
    return config.isInEnvironment ? ConnectionTarget("") : nil
  }

  /// Lets go of the private cluster; the last to do so stops it.
  func release() throws(LocalClusterError) {
    try cluster?.release()
  }

  /// The files of `sql/` that this binary holds.
  static let migrations = Schema.files.map {
    Migration(version: $0.version, name: $0.name, sql: $0.sql, formerly: $0.formerly)
  }

  static func migrator(_ target: ConnectionTarget, log: Log) -> Migrator {
    Migrator(target: target, migrations: migrations, log: log)
  }
}
