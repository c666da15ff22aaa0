import CPostgres
import EventLoop

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The server process of one private cluster, found through `postmaster.pid`.
struct Postmaster {
  let folder: ClusterFolder

  enum Answer { case accepting, refusing, silent }

  /// The id of the running server; nil when none runs, also when a stale `postmaster.pid` names somebody else's process.
  var processID: Int32? {
    guard let pid = recordedProcessID, isServer(pid) else { return nil }
    return pid
  }

  /// What the server says to a knock at its door: no role, database or log line is involved.
  func knock(_ target: ConnectionTarget) -> Answer {
    let answer = target.withParameters(forced: [.init("connect_timeout", "5")]) { PQpingParams($0, $1, 1) }
    switch answer {
    case PQPING_OK: return .accepting
    case PQPING_REJECT: return .refusing
    default: return .silent
    }
  }

  /// Starts the server in a session of its own, where it survives this process, and answers its process id.
  func start(_ programs: PostgresPrograms, as owner: ClusterOwner) throws(LocalClusterError) -> Int32 {
    let log = try openLog()
    defer { close(log) }
    var environment = ClusterSetup.environment
    // PostgreSQL does not start while the process of a stale postmaster.pid seems to live, and ids are reused soon in a
    // container. Deleting the file would also delete what protects the data from a dead server's last children. With this
    // variable, made for pg_ctl, one id is known to be no server.
    if let stale = recordedProcessID, !isServer(stale) { environment["PG_GRANDPARENT_PID"] = "\(stale)" }
    let settings = ["listen_addresses=", "port=5432", "unix_socket_directories=\(folder.socketFolder)"]
    do {
      return try ChildProcess.startDetached(
        programs.postgres, ["-D", folder.cluster] + settings.flatMap { ["-c", $0] },
        environment: environment, as: owner.childUser, output: log)
    } catch { throw .program("\(error)") }
  }

  /// Stops the server, and ends the sessions of those still connected; false when it does not end in time.
  func stop(waitMilliseconds: Int) -> Bool {
    guard let pid = processID else { return true }
    kill(pid, SIGINT)
    let deadline = ContinuousClock.now + .milliseconds(waitMilliseconds)
    while isServer(pid) {
      if ContinuousClock.now > deadline { return false }
      usleep(5000)
    }
    return true
  }

  /// The last thing the server said in `log` from `offset` on: why it ended.
  func lastWords(from offset: Int) -> String {
    guard let file = fopen(folder.log, "re") else { return "it said nothing" }
    defer { fclose(file) }
    fseek(file, offset, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let text = String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    let fatal = lines.last { $0.contains("FATAL:") || $0.contains("PANIC:") }
    return (fatal ?? lines.last).map(String.init) ?? "it said nothing"
  }

  var logBytes: Int {
    var status = stat()
    return stat(folder.log, &status) == 0 ? Int(status.st_size) : 0
  }

  private static let logBytesMax = 8 * 1024 * 1024

  private func openLog() throws(LocalClusterError) -> Int32 {
    if logBytes > Self.logBytesMax { rename(folder.log, folder.log + ".1") }
    let log = open(folder.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard log >= 0 else { throw .file(path: folder.log, reason: ClusterFolder.lastError) }
    return log
  }

  private var recordedProcessID: Int32? {
    ClusterFolder.contents(folder.cluster + "/postmaster.pid").flatMap { text in
      Int32(text.prefix { $0.isNumber })
    }
  }

  /// Whether a process is the server of this cluster: alive, and at work in the cluster's folder.
  private func isServer(_ pid: Int32) -> Bool {
    if ChildProcess.hasEnded(pid) { return false }
    #if os(Linux)
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink("/proc/\(pid)/cwd", &buffer, buffer.count)
      if count >= 0 {
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) == folder.cluster
      }
      // Gone, or dead and not yet reaped by the process that started it.
      if errno == ENOENT || errno == ESRCH { return false }
      // Root of a container may not look. The name is open to all.
      let state = ClusterFolder.contents("/proc/\(pid)/stat") ?? ""
      return state.contains("(postgres) ") && !state.contains("(postgres) Z")
    #else
      return true
    #endif
  }
}
