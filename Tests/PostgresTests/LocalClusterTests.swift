import EventLoop
import Log
import Postgres
import Synchronization
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct LocalClusterTests {
  @Test func `a cluster is made on first use and its database belongs to a plain role`() throws {
    let folder = try TestDataFolder(below: "/new/data")
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    #expect(try cluster.majorVersion() == nil)
    #expect(!cluster.isRunning)
    #expect(try cluster.check() >= 15)
    #expect(access(folder.path, F_OK) != 0, "looking makes nothing")
    try cluster.start()
    #expect(cluster.isRunning)
    #expect(try cluster.majorVersion() == cluster.check())
    let connection = try BlockingConnection(cluster.target)
    let role = try connection.rows(
      """
      select current_user, rolsuper or rolcreatedb or rolcreaterole, current_database(),
        (select datdba = pg_roles.oid from pg_database where datname = current_database()),
        current_setting('server_encoding'), current_setting('TimeZone'), current_setting('listen_addresses')
      from pg_roles where rolname = current_user
      """)
    #expect(role == [["roost", "f", "roost", "t", "UTF8", "UTC", ""]])
    #expect(try connection.value("select collate_bytes.x from (select 'B' < 'a' x) collate_bytes") == "t")
    #expect(try Migrator(target: cluster.target, migrations: TestTemplate.migrations, log: .off).migrate().count > 0)
    #expect(try cluster.release())
    #expect(!cluster.isRunning)
  }

  @Test func `a running cluster is adopted, and the last one out stops it`() throws {
    let folder = try TestDataFolder()
    let first = try LocalCluster(dataFolder: folder.path, log: .off)
    let second = try LocalCluster(dataFolder: folder.path, log: .off)
    try first.start()
    let pid = folder.serverProcessID
    try second.start()
    #expect(folder.serverProcessID == pid)
    #expect(try !first.release())
    #expect(try BlockingConnection(second.target).value("select 1") == "1")
    #expect(try second.release())
    #expect(!second.isRunning)
    #expect(throws: PostgresError.self) { try BlockingConnection(second.target) }
    #expect(try !second.release())
  }

  @Test func `four starts at once make one cluster`() throws {
    let folder = try TestDataFolder()
    let results = Mutex<[String]>([])
    let path = folder.path
    concurrently(4) { index in
      let result = Result { () throws -> LocalCluster in
        let cluster = try LocalCluster(dataFolder: path, log: .off)
        try cluster.start()
        _ = try BlockingConnection(cluster.target).rows("create table bird_\(index) (id integer)")
        return cluster
      }
      switch result {
      case .success(let cluster):
        let stopped = Result { try cluster.release() }
        results.withLock { $0.append("\(stopped)") }
      case .failure(let error): results.withLock { $0.append("\(error)") }
      }
    }
    #expect(results.withLock { $0.allSatisfy { $0.hasPrefix("success") } }, "\(results.withLock { $0 })")
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    #expect(!cluster.isRunning)
    try cluster.start()
    let tables = try BlockingConnection(cluster.target).value(
      "select count(*) from pg_tables where tableowner = 'roost'")
    #expect(tables == "4")
    try cluster.release()
  }

  @Test func `a killed server is seen, started again, and has lost nothing`() throws {
    let folder = try TestDataFolder()
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    try BlockingConnection(cluster.target).run("create table bird as select 7 as id")
    #expect(try !cluster.ensureRunning())
    // A session at work keeps the shared memory of the dead server for a while.
    let busy = try BlockingConnection(cluster.target)
    #expect(try busy.value("select id from bird") == "7")
    let pid = try #require(folder.serverProcessID)
    kill(pid, SIGKILL)
    while !ChildProcess.hasEnded(pid) { usleep(1000) }
    #expect(!cluster.isRunning)
    #expect(try cluster.ensureRunning())
    #expect(cluster.isRunning)
    #expect(folder.serverProcessID != pid)
    #expect(try BlockingConnection(cluster.target).value("select id from bird") == "7")
    try cluster.release()
  }

  @Test func `a stale process id that somebody else got meanwhile does not keep the server from starting`() throws {
    let folder = try TestDataFolder()
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    let pid = try #require(folder.serverProcessID)
    kill(pid, SIGKILL)
    while !ChildProcess.hasEnded(pid) { usleep(1000) }
    var status = stat()
    stat(folder.path + "/postgres", &status)
    let user = geteuid() == 0 ? ChildProcess.User(userID: status.st_uid, groupID: status.st_gid) : nil
    let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
    let bystander = try ChildProcess.startDetached("/bin/sleep", ["60"], as: user, output: output)
    close(output)
    let lines = try #require(folder.contents("postgres/postmaster.pid")).split(separator: "\n").dropFirst()
    folder.write("\(bystander)\n" + lines.joined(separator: "\n") + "\n", to: "postgres/postmaster.pid")
    // The children of a killed server take a moment to see it.
    for _ in 0..<1000 where cluster.isRunning { usleep(5000) }
    #expect(!cluster.isRunning)
    try cluster.start()
    #expect(cluster.isRunning)
    #expect(!ChildProcess.hasEnded(bystander))
    try cluster.release()
    #expect(!ChildProcess.hasEnded(bystander))
    kill(bystander, SIGKILL)
    while !ChildProcess.hasEnded(bystander) { usleep(1000) }
  }

  @Test func `a cluster of another major version is refused with advice`() throws {
    let folder = try TestDataFolder()
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    try cluster.release()
    let version = try #require(folder.contents("postgres/PG_VERSION"))
    folder.write("9\n", to: "postgres/PG_VERSION")
    let error = #expect(throws: LocalClusterError.self) { try cluster.start() }
    #expect(throws: error!) { try cluster.check() }
    let text = "\(error!)"
    #expect(text.contains("was made by PostgreSQL 9"))
    #expect(text.contains("installed is"))
    #expect(text.contains("DATA_DIR"))
    #expect(!cluster.isRunning)
    folder.write(version, to: "postgres/PG_VERSION")
    try cluster.start()
    try cluster.release()
  }

  @Test func `files that are no cluster are left alone`() throws {
    let folder = try TestDataFolder()
    mkdir(folder.path + "/postgres", 0o755)
    folder.write("mine", to: "postgres/diary")
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    #expect(throws: LocalClusterError.self) { try cluster.start() }
    #expect(folder.contents("postgres/diary") == "mine")
  }

  @Test func `an empty folder and a relative path with links are fine`() throws {
    let folder = try TestDataFolder()
    mkdir(folder.path + "/postgres", 0o755)
    symlink(folder.path, folder.path + "/link")
    let cluster = try LocalCluster(dataFolder: folder.path + "/./link", log: .off)
    #expect(cluster.dataFolder == folder.path)
    try cluster.start()
    try cluster.release()
    #expect(try LocalCluster(dataFolder: "nowhere/yet", log: .off).dataFolder.hasPrefix("/"))
  }

  @Test func `what an interrupted start left is made anew`() throws {
    let folder = try TestDataFolder()
    mkdir(folder.path + "/postgres.unfinished", 0o700)
    folder.write("half", to: "postgres.unfinished/PG_VERSION")
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    #expect(folder.contents("postgres.unfinished/PG_VERSION") == nil)
    try cluster.release()
  }

  @Test func `a data folder whose path is too long for a socket works`() throws {
    let folder = try TestDataFolder(below: "/" + String(repeating: "n", count: 120))
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    #expect("\(cluster.target)".hasPrefix("host=/tmp/roost-\(geteuid())-"))
    let socketFolder = try BlockingConnection(cluster.superuserTarget).value("show unix_socket_directories") ?? ""
    var status = stat()
    #expect(stat(socketFolder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    try cluster.release()
    #expect(stat(socketFolder, &status) != 0)
  }

  @Test func `the server's log holds no statement and no value`() throws {
    let folder = try TestDataFolder()
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    let connection = try BlockingConnection(cluster.target)
    try connection.run("create table bird (name text primary key); insert into bird values ('magpie-4411')")
    for sql in ["insert into bird values ($1)", "select $1::uuid", "select magpie_4411($1)"] {
      #expect(throws: PostgresError.self) { try connection.rows(sql, ["magpie-4411"]) }
    }
    try cluster.release()
    let log = try #require(folder.contents("postgres.log"))
    #expect(log.contains("database system is ready"))
    #expect(!log.contains("magpie"))
    #expect(!log.contains("bird"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root makes clusters for another user"))
  func `a folder that the server's user cannot enter is named`() throws {
    let folder = try TestDataFolder(below: "/closed/data")
    let closed = String(folder.path.dropLast("/data".count))
    mkdir(closed, 0o700)
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    let error = #expect(throws: LocalClusterError.self) { try cluster.start() }
    guard case .unreachable(let named, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(named.hasSuffix("/closed"))
    #expect("\(error!)".contains("DATA_DIR"))
    #expect(folder.contents("postgres/PG_VERSION") == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can try as somebody else"))
  func `other users are kept out, even of a folder that was opened up`() throws {
    let folder = try TestDataFolder()
    let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
    defer { _ = try? cluster.release() }
    let path = folder.path
    func asNobody() throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        "/usr/bin/env", ["psql", "-X", "-h", path + "/socket", "-U", "roost", "-c", "select 1"],
        environment: ["PATH": "/usr/bin:/bin"], as: .init(userID: 65534, groupID: 65534), timeoutMilliseconds: 10_000)
    }
    #expect(try asNobody().output.contains("Permission denied"))
    chmod(path + "/socket", 0o777)
    chmod(path + "/socket/.s.PGSQL.5432", 0o777)
    let outcome = try asNobody()
    #expect(!outcome.succeeded)
    #expect(outcome.output.contains("Peer authentication failed"))
  }

  #if os(Linux)
    @Test func `the server has no socket but its own and no descriptor of ours`() throws {
      let marker = open("/etc/passwd", O_RDONLY)
      defer { close(marker) }
      let folder = try TestDataFolder()
      let cluster = try LocalCluster(dataFolder: folder.path, log: .off)
      try cluster.start()
      let pid = try #require(folder.serverProcessID)
      let list = try ChildProcess.run("/bin/ls", ["-l", "/proc/\(pid)/fd"], timeoutMilliseconds: 5000).output
      #expect(list.contains("postgres.log"))
      #expect(list.contains("server.lock"))
      #expect(!list.contains("passwd"))
      let network = try ChildProcess.run("/bin/cat", ["/proc/net/tcp", "/proc/net/tcp6"], timeoutMilliseconds: 5000)
        .output
      let sockets = list.split(separator: "socket:[").dropFirst().map { $0.prefix { $0.isNumber } }
      #expect(!sockets.isEmpty)
      for socket in sockets { #expect(!network.contains(" \(socket) ")) }
      #expect(getsid(pid) == pid)
      try cluster.release()
    }
  #endif
}
