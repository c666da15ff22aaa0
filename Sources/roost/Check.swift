import Log
import Postgres

/// `roost check`: says everything that is wrong with the settings at once; then looks at the database and its schema.
struct Check {
  let reading: ConfigReader.Reading
  let console: Console

  func run() -> ExitCode {
    for setting in Setting.all { if let line = line(for: setting) { console.say(line) } }
    guard reading.mistakes.isEmpty else {
      console.complain(Program.complaint(reading.mistakes))
      return .config
    }
    return checkDatabase()
  }

  /// `ok   LISTEN=0.0.0.0:8080`; settings left at their defaults are not listed.
  private func line(for setting: Setting) -> String? {
    guard let given = reading.given[setting.name] else { return nil }
    if reading.mistakes.contains(where: { $0.setting == given.source }) { return nil }
    let value = setting.isSecret ? "(not shown)" : setting.shown(reading.config) ?? ""
    let source = given.source == setting.name ? "" : ", from \(given.source)"
    return "ok    \(setting.name)=\(value)\(source)"
  }

  private func checkDatabase() -> ExitCode {
    let database = Database(config: reading.config.database, log: .off)
    guard let target = database.target else {
      console.say("ok    database: a private cluster in \(reading.config.database.dataDirectory)")
      return .done
    }
    do {
      let version = try BlockingConnection(target).serverVersion
      console.say("ok    database: PostgreSQL \(Version.postgres(version)), \(target)")
    } catch {
      console.complain("wrong database: \(error) (\(target))")
      return .failed
    }
    return checkSchema(database.migrator(target))
  }

  private func checkSchema(_ migrator: Migrator) -> ExitCode {
    do {
      switch try migrator.state() {
      case .current(let version): console.say("ok    schema: current, version \(version)")
      case .newer(let version, let known):
        console.say("ok    schema: version \(version), newer than this binary's \(known)")
      case .behind(let version, let pending):
        console.complain("wrong schema: version \(version), lacks \(pending.joined(separator: ", ")); run roost migrate")
        return .failed
      }
    } catch {
      console.complain("wrong schema: \(error)")
      return .failed
    }
    return .done
  }
}
