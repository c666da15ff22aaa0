import Log
import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `roost check`: says everything that is wrong with the settings at once; then how fast passwords are hashed here; then
/// looks at the database and its schema.
struct Check {
  let reading: ConfigReader.Reading
  let surroundings: Surroundings
  let console: Console

  func run() -> ExitCode {
    for setting in Setting.all { if let line = line(for: setting) { console.say(line) } }
    guard reading.mistakes.isEmpty else {
      console.complain(Program.complaint(reading.mistakes))
      return .config
    }
    let hashing = HashingReport(threads: reading.config.crew.hashThreads, contents: surroundings.contents)
    for line in hashing.lines { console.say(line) }
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
    let config = reading.config.database
    if let target = Database.target(config) { return check(target) }
    // A cluster is not started, and its folder not made, only to be looked at.
    guard access(config.dataDirectory, F_OK) == 0 else {
      console.say("ok    database: a private cluster, to be made in \(config.dataDirectory)")
      return .done
    }
    do {
      let cluster = try LocalCluster(dataFolder: config.dataDirectory, log: .off)
      let version = try cluster.majorVersion().map { "PostgreSQL \($0)" } ?? "to be made"
      console.say("ok    database: a private cluster in \(cluster.dataFolder), \(version)")
      guard cluster.isRunning else {
        console.say("ok    database: it does not run; roost serve starts it")
        return .done
      }
      return check(cluster.target)
    } catch {
      console.complain("wrong database: \(error)")
      return .failed
    }
  }

  private func check(_ target: ConnectionTarget) -> ExitCode {
    do {
      let connection = try BlockingConnection(target)
      console.say("ok    database: PostgreSQL \(Version.postgres(connection.serverVersion)), \(target)")
      if connection.isPooled { console.say("ok    database: through a pooler, hence without prepared statements") }
    } catch {
      console.complain("wrong database: \(error) (\(target))")
      return .failed
    }
    return checkSchema(Database.migrator(target, log: .off))
  }

  private func checkSchema(_ migrator: Migrator) -> ExitCode {
    do {
      switch try migrator.state() {
      case .current(let version): console.say("ok    schema: current, version \(version)")
      case .newer(let version, let known):
        console.say("ok    schema: version \(version), newer than this binary's \(known)")
      case .behind(let version, let pending):
        console.complain(
          "wrong schema: version \(version), lacks \(pending.joined(separator: ", ")); run roost migrate")
        return .failed
      }
    } catch {
      console.complain("wrong schema: \(error)")
      return .failed
    }
    return .done
  }
}
