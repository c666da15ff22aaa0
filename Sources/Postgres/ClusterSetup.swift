import EventLoop

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes a new private cluster: all of it in a folder of another name, which gets its own name last. Whatever ends this
/// half-way, the next start finds no cluster and begins again.
struct ClusterSetup {
  static let superuser = "postgres"
  /// The plain role that Roost runs as, and the database that it owns.
  static let role = "roost"
  static let database = "roost"

  let folder: ClusterFolder
  let owner: ClusterOwner
  let programs: PostgresPrograms

  func make() throws(LocalClusterError) {
    let unfinished = folder.unfinishedCluster
    if access(unfinished, F_OK) == 0 { try run("/bin/rm", ["-rf", unfinished], as: nil) }
    try folder.makePrivate(unfinished, owner)
    try run(programs.initdb, initdbArguments(unfinished), as: owner.childUser)
    try write(settings, to: unfinished + "/postgresql.conf", mode: "ae")
    try write(accessRules, to: unfinished + "/pg_hba.conf", mode: "we")
    try write(userNames, to: unfinished + "/pg_ident.conf", mode: "we")
    // PostgreSQL's single-user mode: no server has to be started and stopped for two statements.
    let single = ["--single", "-D", unfinished, "-c", "exit_on_error=true", "-c", "log_min_messages=error", "postgres"]
    try run(
      programs.postgres, single, as: owner.childUser,
      input: "create role \(Self.role) login\ncreate database \(Self.database) owner \(Self.role)\n")
    guard rename(unfinished, folder.cluster) == 0 else {
      throw .file(path: folder.cluster, reason: ClusterFolder.lastError)
    }
    let parent = open(folder.data, O_RDONLY | O_CLOEXEC)
    fsync(parent)
    close(parent)
  }

  private func initdbArguments(_ path: String) -> [String] {
    // Byte order sorts the same on every system; a libc's locale changes under an index when the system is upgraded.
    let locale =
      programs.majorVersion >= 17
      ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"] : ["--locale=C"]
    return ["-D", path, "-U", Self.superuser, "--encoding=UTF8", "--auth=peer", "--data-checksums"] + locale
  }

  private func run(
    _ program: String, _ arguments: [String], as user: ChildProcess.User?, input: String = ""
  ) throws(LocalClusterError) {
    let outcome: ChildProcess.Outcome
    do {
      outcome = try ChildProcess.run(
        program, arguments, environment: Self.environment, as: user, input: input, timeoutMilliseconds: 120_000)
    } catch { throw .program("\(error)") }
    guard outcome.succeeded else { throw .program("\(program) failed: \(outcome.output)") }
  }

  private func write(_ text: String, to path: String, mode: String) throws(LocalClusterError) {
    guard let file = fopen(path, mode) else { throw .file(path: path, reason: ClusterFolder.lastError) }
    let isWritten = fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0
    let reason = ClusterFolder.lastError
    fclose(file)
    guard isWritten else { throw .file(path: path, reason: reason) }
  }

  /// Nothing of ours: `PG*` variables would mislead initdb.
  static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"]

  /// The operating system says who is at the other end of the socket, so there is no password to keep.
  ///
  /// The folder of the socket already keeps all others out. The rules hold even if somebody opens that folder up.
  private var accessRules: String {
    """
    # Only the users that pg_ident.conf names, and only through the Unix socket.
    local all all peer map=roost

    """
  }

  private var userNames: String {
    let users = Set([owner.name, "root"]).sorted()
    let lines = users.flatMap { user in
      [Self.role, Self.superuser].map { "roost \(quotedName(user)) \($0)\n" }
    }
    return "# map, user of the operating system, role\n" + lines.joined()
  }

  private var settings: String {
    """

    # ---- Roost ----
    # Where the server listens is given when it starts: a Unix socket, no TCP.
    max_connections = 100
    shared_buffers = 128MB
    max_wal_size = 512MB
    jit = off
    timezone = 'UTC'
    log_timezone = 'UTC'
    unix_socket_permissions = 0700
    # The log tells about the server. Refused statements go to whoever sent them: their text and values stay out of it.
    log_min_messages = log
    log_min_error_statement = panic
    log_error_verbosity = terse
    log_checkpoints = off
    log_line_prefix = '%m [%p] '

    """
  }
}
