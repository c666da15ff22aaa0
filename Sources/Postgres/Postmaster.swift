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
    // All processes of a server hold its lock, so a free one means that none is left.
    guard let pid = recordedProcessID, !ChildProcess.hasEnded(pid), (try? lock())?.take(.shared) == false else {
      return nil
    }
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

  /// Starts the server in a session of its own, where it survives this process, and answers its process id; nil while
  /// processes of a server that was killed still hold the data.
  func start(_ programs: PostgresPrograms, as owner: ClusterOwner) throws(LocalClusterError) -> Int32? {
    let lock = try lock()
    guard lock.take(.exclusive) else { return nil }
    let log = try openLog()
    defer { close(log) }
    var environment = ClusterSetup.environment
    // A server refuses to start while the process that a stale postmaster.pid names seems to live, and ids are reused soon
    // in a container. By this variable, made for pg_ctl, it learns of an id that is no server. Deleting the file instead
    // would also delete the id of the shared memory, by which the server finds what is left of its predecessor.
    if let stale = recordedProcessID { environment["PG_GRANDPARENT_PID"] = "\(stale)" }
    let settings = ["listen_addresses=", "port=5432", "unix_socket_directories=\(folder.socketFolder)"]
    do {
      return try ChildProcess.startDetached(
        programs.postgres, ["-D", folder.cluster] + settings.flatMap { ["-c", $0] },
        environment: environment, as: owner.childUser, input: lock.descriptor, output: log)
    } catch { throw .program("\(error)") }
  }

  /// Stops the server, and ends the sessions of those still connected; false when it does not end in time.
  func stop(waitMilliseconds: Int) throws(LocalClusterError) -> Bool {
    guard let pid = processID else { return true }
    kill(pid, SIGINT)
    guard try lock().take(.exclusive, waitMilliseconds: waitMilliseconds) else { return false }
    // It lets go of its files a moment before it can be reaped.
    for _ in 0..<20 where !ChildProcess.hasEnded(pid) { sleepMilliseconds(5) }
    return true
  }

  /// The last thing the server said in `log` from `offset` on: why it ended.
  func lastWords(from offset: Int) -> String {
    guard let file = fopen(folder.log, "re") else { return "it said nothing" }
    defer { fclose(file) }
    fseek(file, offset, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
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

  /// Held by the server and all its children, who have the file as their standard input.
  ///
  /// Unlike a process id it cannot be mistaken for somebody else's, not even in another container on the same files.
  private func lock() throws(LocalClusterError) -> FileLock {
    try FileLock(folder.serverLock)
  }
}
