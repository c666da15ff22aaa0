import Postgres
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The pool without its server, with a broken connection, or with too much to do.
@Suite(.timeLimit(.minutes(5))) struct PoolTroubleTests {
  static func limits(answerMilliseconds: Int, statementsMax: Int = 10_000) -> Pool.Limits {
    var limits = Pool.Limits.patient
    limits.answerMilliseconds = answerMilliseconds
    limits.statementsMax = statementsMax
    return limits
  }

  func terminateAll(_ database: TestDatabase) throws {
    _ = try BlockingConnection(TestCluster.target()).rows(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database.name])
  }

  // MARK: Connections that break

  @Test func `reads whose connection breaks are answered by another, and the pool is whole again`() async throws {
    let database = try TestDatabase.empty()
    try await TestPool.open(database.target) { lent in
      let pool = lent.pool
      var dead: Set<Int32> = []
      for _ in 0..<3 {
        #expect(
          try await eventually {
            let processes = try database.processes()
            return processes.count == 4 && processes.isDisjoint(with: dead)
          })
        async let answers = parallel(40) { index in
          await pool.attempt(Ask.EchoLater(number: Int32(index), seconds: 0.02))
        }
        try await Task.sleep(for: .milliseconds(100))
        dead.formUnion(try database.processes())
        try terminateAll(database)
        #expect(try await answers == (0..<40).map { .success($0) })
      }
    }
  }

  @Test func `writes whose connection breaks fail, since nobody knows what became of them`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    var limits = Pool.Limits.patient
    limits.writeConnections = 1
    try await TestPool.open(database.target, limits: limits) { lent in
      let pool = lent.pool
      _ = try await pool.run(Tell.Hatch(id: 1, parent: nil))
      async let slow = pool.attempt(Tell.HatchLater(id: 2, seconds: 20))
      #expect(try await eventually { try isSlowRunning(database) })
      async let behind = parallel(3) { index in await pool.attempt(Tell.Hatch(id: Int32(index) + 10, parent: nil)) }
      try await Task.sleep(for: .milliseconds(500))
      try terminateAll(database)
      #expect(await slow.map { _ in 0 }.isUnavailable)
      #expect(try await behind.allSatisfy(\.isUnavailable))
      #expect(try await eventually { await pool.attempt(Tell.Hatch(id: 3, parent: nil)).error == nil })
      #expect(try database.rows("select id from bird order by id") == [["1"], ["3"]], "none was sent twice")
      #expect(try await eventually { try database.processes().count == 3 })
    }
  }

  private func isSlowRunning(_ database: TestDatabase) throws -> Bool {
    let sql =
      "select count(*) from pg_stat_activity where datname = $1 and state = 'active' and query like '%pg_sleep%'"
    return try BlockingConnection(TestCluster.target()).value(sql, [database.name]) == "1"
  }

  @Test func `every write that was answered is there, however many connections broke meanwhile`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    try await TestPool.open(database.target) { lent in
      let pool = lent.pool
      async let answers = parallel(400) { index in
        try await Task.sleep(for: .milliseconds(index))
        return await pool.attempt(Tell.Hatch(id: Int32(index), parent: nil))
      }
      for _ in 0..<6 {
        try await Task.sleep(for: .milliseconds(60))
        try terminateAll(database)
      }
      let results = try await answers
      let there = Set(try database.rows("select id from bird").compactMap { $0[0].flatMap { Int($0) } })
      for (index, result) in results.enumerated() {
        if result.error == nil { #expect(there.contains(index), "\(index) was answered") }
        if case .rejected? = result.error { Issue.record("\(index): \(result)") }
      }
      #expect(results.count { $0.error == nil } > 100)
    }
  }

  // MARK: No server

  @Test func `without a server a statement fails when its time is up, and not later`() async throws {
    let nowhere = ConnectionTarget("host=/nonexistent-folder dbname=roost user=roost")
    try await TestPool.open(nowhere, limits: Self.limits(answerMilliseconds: 400)) { lent in
      let pool = lent.pool
      let read = await lent.timed { await pool.attempt(Ask.Echo(number: 1)) }
      #expect(read.answer.isUnavailable)
      // Time counts from the turn of the loop in which it was sent, which on a busy machine may have begun before.
      #expect((200...2_500).contains(read.milliseconds), "\(read.milliseconds) ms")
      let write = await lent.timed { await pool.attempt(Tell.Hatch(id: 1, parent: nil)) }
      #expect(write.answer.isUnavailable)
      #expect((200...2_500).contains(write.milliseconds), "\(write.milliseconds) ms")
    }
  }

  @Test func `a server that comes later is found, and whoever still waits is answered`() async throws {
    let neighbour = try TestDatabase.empty()
    let name = "\(neighbour.name)_later"
    let target = neighbour.target.with(database: name)
    try await TestPool.open(target) { lent in
      let pool = lent.pool
      async let early = pool.attempt(Ask.Echo(number: 1))
      try await Task.sleep(for: .milliseconds(300))
      let superuser = try BlockingConnection(TestCluster.target())
      try superuser.run("create database \(name) template template0")
      #expect(try await early.get().number == 1)
      #expect(try await pool.run(Ask.Echo(number: 2)).number == 2)
      try superuser.run("drop database \(name) with (force)")
    }
  }

  @Test func `a server that stands still fails statements in time, and others take over`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    try await TestPool.open(database.target, limits: Self.limits(answerMilliseconds: 600)) { lent in
      let pool = lent.pool
      _ = try await pool.run(Ask.Echo(number: 0))
      _ = try await pool.run(Tell.Hatch(id: 0, parent: nil))
      #expect(try await eventually { try database.processes().count == 4 })
      let processes = try database.processes()

      // All of it on the loop: other tests, which make and drop databases, now wait for these processes.
      let (isRead, isWritten) = await lent.timed {
        for process in processes { kill(process, SIGSTOP) }
        defer { for process in processes { kill(process, SIGCONT) } }
        async let write = lent.timed { await pool.attempt(Tell.Hatch(id: 1, parent: nil)) }
        let read = await lent.timed { await pool.attempt(Ask.Echo(number: 1)) }
        #expect(read.answer.isUnavailable)
        #expect((580...2_500).contains(read.milliseconds), "\(read.milliseconds) ms")
        #expect(await write.answer.isUnavailable)
        #expect((580...2_500).contains(await write.milliseconds))
        var isRead = false
        var isWritten = false
        for _ in 0..<5 where !isRead { isRead = await pool.attempt(Ask.Echo(number: 2)).error == nil }
        for id in 2..<7 where !isWritten {
          isWritten = await pool.attempt(Tell.Hatch(id: Int32(id), parent: nil)).error == nil
        }
        return (isRead, isWritten)
      }.answer
      #expect(isRead && isWritten, "on new connections")
    }
  }

  // MARK: Too much, and the end

  @Test func `more than so many statements at once are refused, reads and writes apart`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    try await TestPool.open(database.target, limits: Self.limits(answerMilliseconds: 60_000, statementsMax: 5)) {
      lent in
      let pool = lent.pool
      let answers = try await parallel(20) { index in
        await pool.attempt(Ask.EchoLater(number: Int32(index), seconds: 0.5))
      }
      #expect(answers.count { $0.error == .overloaded } == 15)
      #expect(answers.count { $0.error == nil } == 5)
      async let slow = pool.attempt(Ask.EchoLater(number: 1, seconds: 0.5))
      _ = try await pool.run(Tell.Hatch(id: 1, parent: nil))
      #expect(await slow.error == nil)
      let later = try await parallel(5) { index in await pool.attempt(Ask.Echo(number: Int32(index))).error }
      #expect(later == Array(repeating: nil, count: 5), "there is room again")
    }
  }

  @Test func `waiting for a connection counts too`() async throws {
    let nowhere = ConnectionTarget("host=/nonexistent-folder dbname=roost user=roost")
    try await TestPool.open(nowhere, limits: Self.limits(answerMilliseconds: 300, statementsMax: 5)) { lent in
      let pool = lent.pool
      let errors = try await parallel(20) { _ in await pool.attempt(Ask.Echo(number: 1)) }
      #expect(errors.count { $0.error == .overloaded } == 15)
      #expect(errors.count(where: \.isUnavailable) == 5)
    }
  }

  @Test func `a pool that is closed fails what is under way, and answers nothing any more`() async throws {
    let database = try TestDatabase.empty()
    _ = try database.rows(Tell.Hatch.table)
    try await TestPool.open(database.target) { lent in
      let pool = lent.pool
      _ = try await pool.run(Ask.Echo(number: 0))
      async let reads = parallel(20) { index in await pool.attempt(Ask.EchoLater(number: Int32(index), seconds: 30)) }
      async let writes = parallel(20) { index in
        await pool.attempt(Tell.HatchLater(id: Int32(index), seconds: 30)).map { _ in 0 }
      }
      try await Task.sleep(for: .milliseconds(200))
      let closing = await lent.timed { await pool.close() }
      #expect(closing.milliseconds < 5_000)
      #expect(try await reads.allSatisfy(\.isUnavailable))
      #expect(try await writes.allSatisfy(\.isUnavailable))
      #expect(await pool.attempt(Ask.Echo(number: 1)).isUnavailable)
      await pool.close()
      #expect(await pool.attempt(Tell.Hatch(id: 1, parent: nil)).isUnavailable)
    }
  }

  @Test func `a pool that is closed while it connects, or waits to, ends too`() async throws {
    for target in [try TestDatabase.empty().target, ConnectionTarget("host=/nonexistent-folder dbname=a user=b")] {
      try await TestPool.open(target) { lent in
        let pool = lent.pool
        async let waiting = pool.attempt(Ask.Echo(number: 1))
        await pool.close()
        // It may have come before or after the end.
        #expect(await waiting.isUnavailable)
      }
    }
  }
}
