import Log
import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `roost serve`: the composition root. It makes what the workers need, in order, and gives it back at the end.
struct Serve {
  let config: Config
  let migrates: Bool
  let log: Log
  let console: Console

  /// How long it waits at start for a database that cannot be reached yet.
  static let databaseWaitSecondsMax = 60
  /// How long the last lines of the log may take.
  static let logWaitMilliseconds: Int32 = 1000

  func run() -> ExitCode {
    // A client that has gone is an error of one write, not the end of the server.
    signal(SIGPIPE, SIG_IGN)
    let descriptors = Descriptors.raiseLimit(log: log)
    let signals = Signals()
    defer { log.flush(waitMilliseconds: Self.logWaitMilliseconds) }
    log.info("starting", ["version": .text(Version.text), "workers": .number(config.http.workers)])
    do {
      let database = try Database(config.database, log: log)
      let code = serve(database, Descriptors.bounded(config, by: descriptors, log: log), signals)
      try database.release()
      log.info("stopped")
      return code
    } catch {
      return fail(error)
    }
  }

  private func serve(_ database: Database, _ config: Config, _ signals: Signals) -> ExitCode {
    do {
      guard try bringUpToDate(database, signals) else { return .done }
    } catch {
      return fail(error)
    }
    let watch = database.cluster.map { ClusterWatch($0, log: log) }
    defer { watch?.stop() }
    Mailing.announce(config, log)
    let workers = Workers(config: config, target: database.target, log: log)
    do {
      return try workers.run(until: signals) { address in announce(address, database) }
    } catch {
      return fail(error)
    }
  }

  /// False when the process was told to stop meanwhile.
  private func bringUpToDate(_ database: Database, _ signals: Signals) throws(MigrationError) -> Bool {
    guard migrates else { return !signals.isStopRequested }
    let migrator = Database.migrator(database.target, log: log)
    var waitedSeconds = 0
    while !signals.isStopRequested {
      do {
        try migrator.migrate()
        return !signals.isStopRequested
      } catch .newer(let database, let binary) {
        // Nodes are upgraded one after the other: the old ones go on beside the new schema, which only adds.
        log.warning("schema_is_newer", ["database": .number(database), "binary": .number(binary)])
        return !signals.isStopRequested
      } catch {
        guard case .database(.unavailable(let reason)) = error, waitedSeconds < Self.databaseWaitSecondsMax else {
          throw error
        }
        log.warning("database_unavailable", ["reason": .text(reason), "waitedSeconds": .number(waitedSeconds)])
        sleep(1)
        waitedSeconds += 1
      }
    }
    return false
  }

  /// Says that requests are answered from now on: in the log, and to whoever sits at the terminal.
  private func announce(_ address: ListenAddress, _ database: Database) {
    log.info("serving", ["address": .text(address.description), "database": .text(database.target.description)])
    log.flush()
    guard config.logging.format == .text else { return }
    let place = database.cluster.map { "\($0.dataFolder) (a private PostgreSQL; its log: \($0.logFile))" }
    console.say(
      """

        Roost serves http://\(address.local)
        data      \(place ?? database.target.description)
        look in   roost psql\(database.cluster.map { " --data-dir \($0.dataFolder)" } ?? "")
        stop      Ctrl-C

      """)
  }

  private func fail(_ error: any Error) -> ExitCode {
    log.error("not_started", ["reason": .text("\(error)")])
    if config.logging.format == .text { console.complain("roost: \(error)") }
    return .failed
  }
}
