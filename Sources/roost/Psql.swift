import Log
import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `roost psql`: becomes psql, connected to the configured database.
///
/// With a private cluster it stays the parent, since the cluster runs for as long as somebody uses it.
struct Psql {
  let config: Config
  let arguments: [String]
  let console: Console

  func run() -> ExitCode {
    .done
  }
}
