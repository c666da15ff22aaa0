import Log
import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `roost migrate`: applies what is missing and says what it did.
struct Migrate {
  let config: Config
  let isDryRun: Bool
  let console: Console

  func run() -> ExitCode {
    let log = Log(level: max(config.logging.level, .warning), format: config.logging.format, descriptor: STDERR_FILENO)
    let database = Database(config: config.database, log: log)
    do {
      return try database.whileReachable { target throws(MigrationError) in
        isDryRun ? try report(try database.migrator(target).state()) : try apply(database.migrator(target))
      }
    } catch {
      console.complain("roost: \(error)")
      return .failed
    }
  }

  private func apply(_ migrator: Migrator) throws(MigrationError) -> ExitCode {
    let applied = try migrator.migrate()
    for file in applied { console.say("applied \(file)") }
    if applied.isEmpty { return report(try migrator.state()) }
    return .done
  }

  private func report(_ state: SchemaState) -> ExitCode {
    switch state {
    case .current(let version):
      console.say("nothing to apply: the schema is current, version \(version)")
      return .done
    case .newer(let version, let known):
      console.say("nothing to apply: the schema has version \(version), made by a newer binary than this (\(known))")
      return .done
    case .behind(let version, let pending):
      console.say("the schema has version \(version); to be applied:")
      for file in pending { console.say("  \(file)") }
      return .failed
    }
  }
}
