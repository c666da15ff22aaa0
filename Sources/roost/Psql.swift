import Log
import Postgres

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// `roost psql`: runs psql on the configured database, and ends as it ends.
///
/// psql is a child, since a private cluster runs only for as long as some process of ours uses it. It gets the
/// connection by the environment: a password on a command line could be read by every user of the machine.
struct Psql {
  let config: Config
  let arguments: [String]
  let log: Log
  let console: Console

  func run() -> ExitCode {
    do {
      let database = try Database(config.database, log: log)
      for (name, value) in LibpqEnvironment.variables(for: database.target) { setenv(name, value, 1) }
      let code = runChild()
      try database.release()
      return code
    } catch {
      console.complain("roost: \(error)")
      return .failed
    }
  }

  private func runChild() -> ExitCode {
    // Ctrl-C on the terminal reaches both: it is psql's, which cancels a statement with it.
    let interrupts = [SIGINT, SIGQUIT]
    for signal in interrupts { systemSignal(signal, SIG_IGN) }
    defer { for signal in interrupts { systemSignal(signal, SIG_DFL) } }
    var child: pid_t = 0
    let result = spawn(&child)
    guard result == 0 else {
      let hint = result == ENOENT ? "; install PostgreSQL's client (Debian: postgresql-client)" : ""
      console.complain("roost: psql: \(String(cString: strerror(result)))\(hint)")
      return .failed
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? ExitCode(rawValue: status >> 8 & 0xff) : .signal(status & 0x7f)
  }

  private func spawn(_ child: inout pid_t) -> Int32 {
    var words = (["psql"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&defaults, signal) }
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      let environment = _NSGetEnviron().pointee
    #else
      var attributes = posix_spawnattr_t()
      let environment = environ
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    return posix_spawnp(&child, "psql", nil, &attributes, &words, environment)
  }
}

#if canImport(Darwin)
  private func systemSignal(_ number: Int32, _ handler: sig_t?) { Darwin.signal(number, handler) }
#else
  private func systemSignal(_ number: Int32, _ handler: __sighandler_t?) { _ = Glibc.signal(number, handler) }
#endif
