import Postgres
import RoostAPI
import TestSupport
import Testing

/// How a server leaves.
@Suite(.onThreads) struct ShutdownTests {
  /// A server with a log-in that hangs for as long as the test likes.
  private struct Stand {
    let database: TestDatabase
    let server: TestServer
    let person = Person()
    let lock: TableLock
    let answers = Collected<HTTPClient.Response>()

    init() throws {
      database = try .fresh()
      server = try TestServer(database, settings: ["DATABASE_TIMEOUT_MILLISECONDS": "30000"])
      try Visitor(server).register(person).expect(201)
      lock = try TableLock("session", database.target)
      let (visitor, person, answers) = (Visitor(server), person, answers)
      inBackground { if let answer = try? visitor.logIn(person.username, person.password) { answers.append(answer) } }
      #expect(try eventually { try isLoginWaiting }, "\(server.lastWords)")
    }

    private var isLoginWaiting: Bool {
      get throws {
        try database.value("select count(*) from pg_locks where not granted and relation = 'session'::regclass") == "1"
      }
    }
  }

  @Test func `a server that is told to stop says so, finishes what it is at, and exits with 0`() throws {
    let stand = try Stand()
    let visitor = Visitor(stand.server)
    try visitor.get("/readyz").expect(200)
    let clock = ContinuousClock()
    let start = clock.now
    stand.server.process.send(.terminate)
    #expect(try eventually { try visitor.get("/readyz").status == 503 })
    try visitor.get("/readyz").problem(.notReady)
    // Until balancers have seen it, it still serves.
    try visitor.get("/healthz").expect(200)
    sleepMilliseconds(2_000)
    #expect(stand.server.process.ending == nil, "it waits for the log-in")
    #expect(throws: RawConnection.Trouble.self, "it takes nobody new") { try RawConnection(stand.server.address) }
    try stand.lock.release()
    #expect(try stand.server.exitStatus() == 0)
    #expect(clock.now - start < .seconds(10))
    let answer = try #require(stand.answers.all.first, "\(stand.server.lastWords)")
    let signedIn: SignedIn = try answer.expect(201).decoded()
    // The session is as good as any, for the next node.
    let next = try TestServer(stand.database)
    try Visitor(next, token: signedIn.session.token).me().expect(200)
    #expect(stand.server.log.contains(#""event":"stopped""#))
  }

  @Test func `Ctrl-C does not wait for balancers`() throws {
    let server = try TestServer(.fresh())
    let idle = try (0..<5).map { _ in try RawConnection(server.address) }
    try Visitor(server).get("/healthz").expect(200)
    let start = ContinuousClock.now
    #expect(try server.stop(.interrupt) == 0)
    #expect(ContinuousClock.now - start < .milliseconds(1_500))
    #expect(idle.allSatisfy { $0.isClosed(withinMilliseconds: 0) })
  }

  @Test(arguments: [(TestServerProcess.Signal.terminate, Int32(143)), (.interrupt, 130)])
  func `a second signal ends it at once`(signal: TestServerProcess.Signal, status: Int32) throws {
    let stand = try Stand()
    stand.server.process.send(signal)
    sleepMilliseconds(200)
    #expect(stand.server.process.ending == nil)
    let start = ContinuousClock.now
    #expect(try stand.server.stop(signal) == status)
    #expect(ContinuousClock.now - start < .seconds(1))
    try stand.lock.release()
    // The log-in may or may not have happened; nothing is half there.
    #expect(Int(try stand.database.value("select count(*) from session") ?? "") ?? 0 >= 1)
  }

  @Test func `a request that does not end in time is cut off`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database, settings: ["DATABASE_TIMEOUT_MILLISECONDS": "30000", "SHUTDOWN_TIMEOUT_SECONDS": "1"])
    let ada = try Visitor(server).signedUp()
    let lock = try TableLock("tweet", database.target)
    let answers = Collected<Int?>()
    inBackground { answers.append(try? ada.tweet("Never").status) }
    sleepMilliseconds(300)
    let start = ContinuousClock.now
    _ = try server.stop(.interrupt)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(eventually { answers.all == [503] || answers.all == [nil] }, "\(answers.all)")
    #expect(server.log.contains("requests_cut_off"))
    try lock.release()
  }
}
