import EventLoop
import Log
import TestSupport
import Testing

@testable import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Several hosts, of which one is the primary, and later another. What Patroni makes of it, `make test-ha` shows.
@Suite(.timeLimit(.minutes(5))) struct FailoverTests {
  /// A cluster, and a copy of it that begins as a standby.
  private struct Pair {
    let folders: [TestDataFolder]
    let primary: LocalCluster
    let standby: LocalCluster

    init() throws {
      folders = [try TestDataFolder(), try TestDataFolder()]
      primary = try LocalCluster(dataFolder: folders[0].path, log: .off)
      standby = try LocalCluster(dataFolder: folders[1].path, log: .off)
      try primary.start()
      try primary.release()
      let copy = folders[1].path + "/postgres"
      for (from, to) in [(folders[0].path + "/postgres", copy), (copy + "/PG_VERSION", copy + "/standby.signal")] {
        #expect(try ChildProcess.run("/bin/cp", ["-a", from, to], timeoutMilliseconds: 30_000).succeeded)
      }
      try primary.start()
      try standby.start()
    }

    /// Both hosts, the standby first.
    var target: ConnectionTarget {
      let hosts = [standby, primary].map { "\($0.target)".split(separator: " ")[0].dropFirst("host=".count) }
      return primary.target.with(.init("host", hosts.joined(separator: ",")))
    }
  }

  /// The timeline of the server that answers: 1 of the first primary, 2 of the standby that became one.
  private struct Timeline: ReadStatement {
    static let sql = "select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer"

    func bind(to parameters: inout Parameters) {}

    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  /// The same, on a connection for writes.
  private struct WrittenTimeline: WriteStatement {
    static let sql = "\(Timeline.sql) from (select pg_current_xact_id()) as written"

    func bind(to parameters: inout Parameters) {}

    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  @Test func `a primary is found behind a standby, left for its successor, and not come back to`() async throws {
    let pair = try Pair()
    let looker = try BlockingConnection(pair.primary.superuserTarget)
    #expect(try BlockingConnection(pair.standby.target).value("select pg_is_in_recovery()") == "t")
    #expect(try BlockingConnection(pair.target).value("select pg_is_in_recovery()") == "f")
    #expect(try Migrator(target: pair.target, migrations: TestTemplate.migrations, log: .off).migrate().count > 0)

    var limits = Pool.Limits.patient
    limits.answerMilliseconds = 1_500
    try await TestPool.open(pair.target, limits: limits) { lent in
      let pool = lent.pool
      #expect(try await eventually { try looker.value(Self.connections) == "4" })
      #expect(try await pool.run(Timeline()) == 1)
      #expect(try await pool.run(WrittenTimeline()) == 1)

      // What stands first as written hangs, and costs nobody the two seconds that one host may take.
      let other = try #require(pair.folders[1].serverProcessID)
      kill(other, SIGSTOP)
      defer { kill(other, SIGCONT) }
      _ = try looker.rows("select pg_terminate_backend(pid) from (\(Self.process)) as all_of_them")
      let answer = await pool.attempt(Timeline())
      #expect(answer == .success(1), "\(answer)")
      kill(other, SIGCONT)
      #expect(try await eventually { try looker.value(Self.connections) == "4" })

      // The old primary takes no new connections, and goes on with those it has.
      let postmaster = try #require(pair.folders[0].serverProcessID)
      kill(postmaster, SIGSTOP)
      defer { kill(postmaster, SIGCONT) }
      try BlockingConnection(pair.standby.superuserTarget).run("select pg_promote()")
      #expect(try await pool.run(Timeline()) == 1)
      _ = try looker.rows("select pg_terminate_backend(pid) from (\(Self.process) limit 1) as one")
      #expect(try await eventually { await pool.attempt(Timeline()) == .success(2) })
      #expect(try await parallel(20) { _ in try await pool.run(Timeline()) } == Array(repeating: 2, count: 20))
      #expect(try await parallel(20) { _ in try await pool.run(WrittenTimeline()) } == Array(repeating: 2, count: 20))
      #expect(try await eventually { try looker.value(Self.connections) == "0" })

      // Now it does, and its successor is away: better no answer than an old one.
      kill(postmaster, SIGCONT)
      #expect(try pair.standby.release())
      #expect(await pool.attempt(WrittenTimeline()).isUnavailable)
      #expect(await pool.attempt(Timeline()).isUnavailable)
      #expect(try BlockingConnection(pair.target).value("select pg_is_in_recovery()") == "f", "the old one is there")
      try pair.standby.start()
      #expect(try await eventually { await pool.attempt(WrittenTimeline()) == .success(2) })
    }
    try pair.standby.release()
    try pair.primary.release()
  }

  @Test func `the host that was right is tried first, and after a failure the next`() throws {
    let database = try TestDatabase.empty()
    let host = "\(database.target)".split(separator: " ")[0].dropFirst("host=".count)
    let target = database.target.with(.init("host", "/nonexistent,\(host),/nonexistent"))
    let order = HostOrder(target)
    #expect(order.next.first == 0)
    order.failed(startingAt: 0)
    order.failed(startingAt: 0)
    #expect(order.next.first == 1, "two that fail at once count once")
    order.failed(startingAt: 1)
    order.failed(startingAt: 2)
    #expect(order.next.first == 0)
    let connection = try BlockingConnection(target)
    withExtendedLifetime(connection) { order.succeeded(on: connection.handle) }
    #expect(order.next.first == 1)
    #expect("\(order.next.target)".hasPrefix("host=\(host),/nonexistent,/nonexistent "))
  }

  @Test func `a connection whose server takes no writes is given up at the first`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    let setting = "alter database \(database.name)"
    try BlockingConnection(TestCluster.target()).run("\(setting) set default_transaction_read_only = on")
    var limits = Pool.Limits.patient
    limits.writeConnections = 1
    try await TestPool.open(database.target, limits: limits) { lent in
      let pool = lent.pool
      #expect(await pool.attempt(Tell.Hatch(id: 1, parent: nil)).isUnavailable)
      #expect(await pool.attempt(Ask.EchoText(text: "read")) == .success("read"))
      try BlockingConnection(TestCluster.target()).run("\(setting) reset default_transaction_read_only")
      // The one that was made meanwhile may be of the old kind too.
      #expect(try await eventually { await pool.attempt(Tell.Hatch(id: 2, parent: nil)).error == nil })
    }
    #expect(try database.rows("select id from bird") == [["2"]])
  }

  private static let process = "select pid from pg_stat_activity where application_name = 'roost' and usename = 'roost'"
  private static let connections = "select count(*) from (\(process)) as processes"
}
