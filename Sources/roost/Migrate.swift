import Log
import Postgres

/// `roost migrate`: applies what is missing and says what it did.
struct Migrate {
  let config: Config
  let arguments: Invocation.Arguments
  let log: Log
  let console: Console

  static let last = Command.Option(flag: "--to", placeholder: "VERSION", help: "stop after this one, such as 9")

  private var isDryRun: Bool { arguments.has(Command.dryRun) }

  func run() -> ExitCode {
    let text = arguments.flags[Self.last.flag]
    let last = text.map { Int($0) ?? 0 } ?? Database.migrations.count
    guard 1...Database.migrations.count ~= last else {
      console.complain("roost: --to: give a version from 1 to \(Database.migrations.count)")
      return .usage
    }
    do {
      let database = try Database(config.database, log: log)
      let code = migrate(Database.migrator(database.target, log: log), to: last)
      try database.release()
      return code
    } catch {
      console.complain("roost: \(error)")
      return .failed
    }
  }

  private func migrate(_ migrator: Migrator, to last: Int) -> ExitCode {
    do {
      let applied = isDryRun ? [] : try migrator.migrate(to: last)
      for file in applied { console.say("applied \(file)") }
      return report(try migrator.state(), last)
    } catch {
      console.complain("roost: \(error)")
      return .failed
    }
  }

  private func report(_ state: SchemaState, _ last: Int) -> ExitCode {
    switch state {
    case .behind(let version, _) where version >= last:
      console.say("the schema has version \(version)")
      return .done
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
