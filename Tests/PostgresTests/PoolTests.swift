import Metrics
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PoolTests {
  /// One connection of each kind, so that all reads share it.
  static var narrow: Pool.Limits {
    var limits = Pool.Limits.patient
    limits.readConnections = 1
    limits.writeConnections = 1
    return limits
  }

  func withPool<Answer>(_ limits: Pool.Limits = .patient, _ body: (TestDatabase, Pool) async throws -> Answer)
    async throws
    -> Answer
  {
    let database = try TestDatabase.empty()
    return try await TestPool.open(database.target, limits: limits) { try await body(database, $0.pool) }
  }

  @Test(arguments: [PoolTests.narrow, .patient])
  func `each of two thousand reads at once gets its own answer`(limits: Pool.Limits) async throws {
    try await withPool(limits) { _, pool in
      let answers = try await parallel(2_000) { index in
        if index % 2 == 0 { return try await pool.run(Ask.Echo(number: Int32(index))).number }
        return Int(try await pool.run(Ask.EchoText(text: "\(index)")))!
      }
      #expect(answers == Array(0..<2_000))
    }
  }

  @Test func `it tells how deep the pipeline was, and how many waited for a connection`() async throws {
    try await withPool(Self.narrow) { _, pool in
      _ = try await parallel(300) { index in try await pool.run(Ask.Echo(number: Int32(index))).number }
      let reads = pool.meters.reads
      let depths = reads.depths.snapshot
      #expect(reads.accepted.value == 300 && depths.counts.reduce(0, +) == 300)
      #expect(depths.counts[0] >= 1 && depths.sum > 300, "the first was alone, others were not")
      // Those that came before the connection did.
      #expect(reads.waits.snapshot.counts.reduce(0, +) <= 300)
      #expect(reads.refused.value == 0 && reads.lost.value == 0)
      #expect(pool.meters.writes.depths.snapshot.sum == 0)
    }
  }

  @Test func `answers come in the order in which the reads were sent`() async throws {
    let database = try TestDatabase.empty()
    try await TestPool.open(database.target, limits: Self.narrow) { lent in
      let pool = lent.pool
      let arrivals = Arrivals()
      let tasks = (0..<100).map { index in
        Task(executorPreference: lent.loop) {
          _ = try? await pool.run(Ask.Echo(number: Int32(index)))
          arrivals.note(index)
        }
      }
      for task in tasks { await task.value }
      #expect(arrivals.numbers == Array(0..<100))
    }
  }

  private final class Arrivals: Sendable {
    private let seen = Mutex<[Int]>([])
    var numbers: [Int] { seen.withLock { $0 } }
    func note(_ number: Int) { seen.withLock { $0.append(number) } }
  }

  @Test func `many rows are read to the last`() async throws {
    try await withPool { _, pool in
      let answers = try await parallel(20) { index in try await pool.run(Ask.Series(last: Int32(index) * 3_000)) }
      for (index, answer) in answers.enumerated() {
        #expect(answer == Array(stride(from: 0, through: index * 3_000, by: 3)))
      }
    }
  }

  @Test func `a megabyte goes there and back`() async throws {
    try await withPool(Self.narrow) { _, pool in
      let answers = try await parallel(8) { index in
        let text = String(repeating: "\(index)äöü", count: 150_000)
        return try await pool.run(Ask.EchoText(text: text)) == text
      }
      #expect(answers == Array(repeating: true, count: 8))
    }
  }

  // MARK: Reads that fail

  @Test func `reads that fail leave their neighbours right`() async throws {
    try await withPool(Self.narrow) { _, pool in
      let process = try await pool.run(Ask.Echo(number: 0)).process
      let answers = try await parallel(300) { index in
        index % 50 == 7
          ? await pool.attempt(Ask.Divide(divisor: 0))
          : await pool.attempt(Ask.Divide(divisor: Int32(index % 10) + 1))
      }
      for (index, answer) in answers.enumerated() {
        if index % 50 == 7 {
          #expect(answer.sqlState == "22012", "\(index)")
        } else {
          #expect(answer.error == nil && (try? answer.get()) == 100 / (index % 10 + 1), "\(index)")
        }
      }
      #expect(try await pool.run(Ask.Echo(number: 0)).process == process, "the connection is still the same")
    }
  }

  @Test func `text that does not parse is refused to its caller alone, again and again`() async throws {
    try await withPool(Self.narrow) { _, pool in
      let process = try await pool.run(Ask.Echo(number: 0)).process
      #expect(await pool.attempt(Ask.Gibberish()).sqlState == "42601")
      for _ in 0..<3 {
        let states = try await parallel(30) { index in
          switch index % 3 {
          // Those who come after the first may hear that the statement was never prepared.
          case 0: ["42601", "26000"].contains(await pool.attempt(Ask.Gibberish()).sqlState) ? "refused" : "answered"
          case 1: await pool.attempt(Ask.EchoText(text: "\(index)")).error.map { "\($0)" } ?? "right"
          default: await pool.attempt(Ask.Echo(number: Int32(index))).error.map { "\($0)" } ?? "right"
          }
        }
        #expect(states == (0..<30).map { $0 % 3 == 0 ? "refused" : "right" })
      }
      #expect(try await pool.run(Ask.Echo(number: 0)).process == process)
    }
  }

  @Test func `a statement first sent behind one that fails is right for all who run it`() async throws {
    try await withPool(Self.narrow) { _, pool in
      _ = try await pool.run(Ask.Divide(divisor: 1))
      _ = try await pool.run(Ask.EchoLater(number: 1, seconds: 0))
      // The server is busy with the first turn, whose preparation of EchoText it then drops, when the second is sent.
      async let slow = pool.attempt(Ask.EchoLater(number: 7, seconds: 0.3))
      async let failing = pool.attempt(Ask.Divide(divisor: 0))
      async let fresh = pool.attempt(Ask.EchoText(text: "first"))
      try await Task.sleep(for: .milliseconds(100))
      let later = try await parallel(3) { index in await pool.attempt(Ask.EchoText(text: "\(index)")) }
      #expect(await slow == .success(7))
      #expect(await failing.sqlState == "22012")
      #expect(await fresh == .success("first"))
      #expect(later == [.success("0"), .success("1"), .success("2")])
    }
  }

  @Test func `what takes too long the server itself gives up, and goes on`() async throws {
    let database = try TestDatabase.empty()
    try await TestPool.open(database.target, limits: Self.narrow, statementMilliseconds: 300) { (lent) async throws in
      let pool = lent.pool
      async let slow = pool.attempt(Ask.EchoLater(number: 1, seconds: 30))
      async let quick = pool.attempt(Ask.Echo(number: 2))
      #expect(await slow.sqlState == "57014")
      #expect(try await quick.get().number == 2)
    }
  }

  // MARK: Writes

  @Test func `a write is answered once it is committed, and not when the commit is refused`() async throws {
    try await withPool(Self.narrow) { database, pool in
      _ = try database.rows(Tell.Hatch.table)
      let process = try await pool.run(Tell.Hatch(id: 1, parent: nil))
      let orphan = await pool.attempt(Tell.Hatch(id: 2, parent: 99))
      guard case .rejected("23503", _, "bird_parent_fkey")? = orphan.error else {
        Issue.record("\(orphan)")
        return
      }
      #expect(try database.rows("select id from bird") == [["1"]])
      #expect(try await pool.run(Tell.Hatch(id: 3, parent: 1)) == process, "the connection goes on")

      let answers = try await parallel(60) { index in
        await pool.attempt(Tell.Hatch(id: Int32(index) + 10, parent: index % 4 == 0 ? 99 : 1))
      }
      for (index, answer) in answers.enumerated() {
        #expect((answer.sqlState == "23503") == (index % 4 == 0), "\(index)")
      }
      #expect(try database.value("select count(*) from bird") == "47")
    }
  }

  @Test func `a refused write names the constraint, and never what was written`() async throws {
    try await withPool { database, pool in
      _ = try database.rows(Tell.Hatch.table)
      _ = try await pool.run(Tell.Hatch(id: 4711, parent: nil))
      let error = await pool.attempt(Tell.Hatch(id: 4711, parent: nil)).error
      guard case .rejected("23505", _, "bird_pkey")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!"\(error!)".contains("4711"))
    }
  }

  @Test func `writes that fail leave the others committed`() async throws {
    try await withPool { database, pool in
      _ = try database.rows(Tell.Hatch.table)
      let states = try await parallel(40) { index in
        switch index % 4 {
        case 0: ["42P01", "26000"].contains(await pool.attempt(Tell.Astray()).sqlState) ? "refused" : "answered"
        case 1: await pool.attempt(Tell.Hatch(id: 0, parent: nil)).sqlState ?? "written"
        default: await pool.attempt(Tell.Hatch(id: Int32(index), parent: nil)).sqlState ?? "written"
        }
      }
      for (index, state) in states.enumerated() where index % 4 != 1 {
        #expect(state == (index % 4 == 0 ? "refused" : "written"), "\(index)")
      }
      #expect(states.count { $0 == "written" } == 21)
      #expect(states.count { $0 == "23505" } == 9)
      #expect(try database.value("select count(*) from bird") == "21")
    }
  }

  @Test func `a slow write does not keep reads waiting`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    try await TestPool.open(database.target, limits: Self.narrow) { lent in
      let pool = lent.pool
      _ = try await pool.run(Ask.Echo(number: 0))
      async let slow: Void = pool.run(Tell.HatchLater(id: 1, seconds: 4))
      let quick = await lent.timed { await pool.attempt(Ask.Echo(number: 5)) }
      #expect(try quick.answer.get().number == 5)
      #expect(quick.milliseconds < 3_000)
      try await slow
    }
  }

  @Test func `a row that everybody wants keeps one connection, and the other writes go on`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    _ = try database.rows("create table counter (id integer primary key, n integer not null)")
    _ = try database.rows("insert into counter values (1, 0), (2, 0)")
    try await TestPool.open(database.target) { lent in
      let pool = lent.pool
      // Both connections are there.
      _ = try await parallel(4) {
        try await pool.run(Tell.HatchLater(id: Int32(1_000 + $0), seconds: 0.2))
      }
      let other = try BlockingConnection(database.target)
      try other.run("begin; update counter set n = n + 1 where id = 1")
      async let bumps = parallel(40) { _ in try await pool.run(Tell.Bump(id: 1)) }
      try #require(try await eventually { try database.value(Self.waiting) == "1" })

      let others = await lent.timed {
        try? await parallel(20) { try await pool.run(Tell.Hatch(id: Int32($0), parent: nil)) }.count
      }
      #expect(others.answer == 20)
      #expect(await pool.attempt(Tell.Bump(id: 2)).error == nil)
      #expect(try database.value(Self.waiting) == "1", "the row is still locked, and wanted by one connection")
      try other.run("commit")
      #expect(Set(try await bumps).count == 1)
      #expect(try database.rows("select n from counter order by id") == [["41"], ["1"]])
    }
  }

  private static let waiting =
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

  // MARK: What passes

  @Test func `two writes that wait for each other both succeed in the end`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows("create table counter (id integer primary key, n integer not null)")
    _ = try database.rows("insert into counter values (1, 0), (2, 0)")
    _ = try database.rows(
      """
      create function act(a integer, b integer) returns integer language plpgsql as $$
      begin
        update counter set n = n + 1 where id = a;
        perform pg_sleep(0.3);
        update counter set n = n + 1 where id = b;
        return 1;
      end $$
      """)
    try await TestPool.open(database.target) { (lent) async throws in
      let pool = lent.pool
      // In the first round both may have to share the one connection that is there already.
      for _ in 0..<2 {
        async let one = pool.attempt(Tell.Act(first: 1, second: 2))
        async let two = pool.attempt(Tell.Act(first: 2, second: 1))
        #expect(await one == .success(1))
        #expect(await two == .success(1))
      }
      #expect(try database.rows("select n from counter") == [["4"], ["4"]])
    }
    // A server process tells what it has counted at the latest when it ends.
    let deadlocks = "select deadlocks from pg_stat_database where datname = $1"
    #expect(
      try await eventually {
        try BlockingConnection(TestCluster.target()).value(deadlocks, [database.name]) != "0"
      }, "the one who gave way was sent again")
  }

  @Test(arguments: [1, 2, 3, 4])
  func `a write that the server rolled back for others' sake is tried three times in all`(failures: Int) async throws {
    try await withPool { database, pool in
      // What a sequence counts is not rolled back.
      _ = try database.rows("create sequence attempt")
      _ = try database.rows(
        """
        create function act(failures integer, b integer) returns integer language plpgsql as $$
        begin
          if nextval('attempt') <= failures then raise 'again' using errcode = '40001'; end if;
          return b;
        end $$
        """)
      let answer = await pool.attempt(Tell.Act(first: Int32(failures), second: 5))
      if failures < 3 { #expect(answer == .success(5)) } else { #expect(answer.sqlState == "40001") }
      #expect(try database.value("select last_value from attempt") == "\(min(failures + 1, 3))")
    }
  }

  @Test func `a commit that the server refuses for others' sake is tried again, and written once`() async throws {
    try await withPool { database, pool in
      _ = try database.rows(Tell.Hatch.table)
      _ = try database.rows("create sequence attempt")
      _ = try database.rows(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin
          if nextval('attempt') <= 2 then raise 'again' using errcode = '40001'; end if;
          return null;
        end $$
        """)
      _ = try database.rows(
        """
        create constraint trigger late after insert on bird deferrable initially deferred
        for each row execute function refuse()
        """)
      _ = try await pool.run(Tell.Hatch(id: 1, parent: nil))
      #expect(try database.value("select count(*) from bird") == "1")
      #expect(try database.value("select last_value from attempt") == "3")
    }
  }
}
