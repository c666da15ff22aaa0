import Log
import Postgres

/// `roost migrate`: applies what is missing and says what it did.
struct Migrate {
  let config: Config
  let isDryRun: Bool
  let log: Log
  let console: Console

  func run() -> ExitCode {
    do {
      let database = try Database(config.database, log: log)
      let code = migrate(Database.migrator(database.target, log: log))
      try database.release()
      return code
    } catch {
      console.complain("roost: \(error)")
      return .failed
    }
  }

  private func migrate(_ migrator: Migrator) -> ExitCode {
    do {
      let applied = isDryRun ? [] : try migrator.migrate()
      for file in applied { console.say("applied \(file)") }
      return report(try migrator.state())
    } catch {
      console.complain("roost: \(error)")
      return .failed
    }
  }

  private func report(_ state: SchemaState) -> ExitCode {
    switch state {
    case .current(let version):
      console.say("the schema is current, version \(version)")
      return .done
    case .newer(let version, let known):
      console.say("nothing to apply: the schema has version \(version), from a newer binary than this (\(known))")
      return .done
    case .behind(let version, let pending):
      console.say((["the schema has version \(version); to be applied:"] + pending).joined(separator: "\n  "))
      return .failed
    }
  }
}
