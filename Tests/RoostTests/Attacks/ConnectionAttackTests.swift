import RoostAPI
import TestSupport
import Testing

/// Many who connect and say little.
@Suite(.onThreads) struct ConnectionAttackTests {
  private static let request = "GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\n"

  /// So many connections that have each said `start`.
  private static func connections(_ count: Int, _ server: TestServer, saying start: String) throws -> [RawConnection] {
    try (0..<count).map { _ in
      let connection = try RawConnection(server.address)
      if !start.isEmpty { try? connection.send(start) }
      return connection
    }
  }

  @Test func `ten thousand idle connections are held, at some KiB each`() throws {
    let siege = try Siege(["CONNECTIONS_MAX": "12000"])
    let count = Siege.connectionsMax(10_000)
    let toll = try siege.attacked(withinMiB: count * 48 / 1_024) {
      let connections = try Self.connections(count, siege.server, saying: Self.request)
      for connection in connections { try connection.readResponse().expect(200) }
      if let descriptors = siege.server.process.descriptorCount { #expect(descriptors > count) }
      // They are good for a second request, also the first of them.
      for connection in [connections[0], connections[count - 1]] {
        try connection.send(Self.request)
        try connection.readResponse().expect(200)
      }
    }
    #expect(toll.statuses[200] ?? 0 > 10)
  }

  @Test(arguments: [
    "", "GET /hea", "GET /healthz HTTP/1.1\r\nHost: roost\r\nX-", request,
    "POST /v1/login HTTP/1.1\r\nHost: roost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{",
  ])
  func `whoever opens more connections than there may be keeps nobody out`(start: String) throws {
    let siege = try Siege(["CONNECTIONS_MAX": "256"])
    let attackers = Siege.isFull ? 8_000 : 1_000
    try siege.attacked(withinMiB: 24) {
      let connections = try Self.connections(attackers, siege.server, saying: start)
      // Who comes now gets a place at once.
      for _ in 0..<50 { try Visitor(siege.server).send("GET", "/healthz", isAlone: true).expect(200) }
      #expect(siege.server.process.descriptorCount ?? 0 < 256 + 64)
      // Who came first had to go: without a word, or with a 503 where half a request had come.
      let last = String(decoding: try connections[0].readToEnd(), as: UTF8.self)
      if start.isEmpty {
        #expect(last.isEmpty)
      } else if start == Self.request {
        #expect(last.hasPrefix("HTTP/1.1 200"))
      } else if !last.isEmpty {
        #expect(last.hasPrefix("HTTP/1.1 503") && last.contains("Retry-After: 1\r\n"), "\(last)")
      }
    }
    // It is told with the next look at the time limits.
    #expect(eventually { siege.server.log.contains(#""event":"connections_full""#) }, "\(siege.server.lastWords)")
  }

  @Test func `readers who do not read are ended before others are kept out`() throws {
    let siege = try Siege(["CONNECTIONS_MAX": "64"])
    let many = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: roost\r\n\r\n", count: 200)
    try siege.attacked(withinMiB: 24) {
      let greedy = try (0..<200).map { _ in
        let connection = try RawConnection(siege.server.address, receiveBytes: 4_096)
        inBackground { try? connection.send(many) }
        return connection
      }
      for _ in 0..<50 { try Visitor(siege.server).send("GET", "/healthz", isAlone: true).expect(200) }
      _ = greedy.count
    }
  }

  @Test func `nobody makes room for others while the server works for them`() throws {
    let siege = try Siege(["CONNECTIONS_MAX": "64", "DATABASE_TIMEOUT_MILLISECONDS": "20000"])
    let lock = try TableLock("tweet", siege.database.target)
    let answers = Collected<Int>()
    for _ in 0..<20 { inBackground { answers.append((try? siege.ada.tweet("Patience").status) ?? 0) } }
    sleepMilliseconds(300)
    let listener = try LiveListener(siege.server, siege.ada)
    _ = try Self.connections(500, siege.server, saying: Self.request)
    try lock.release()
    #expect(eventually { answers.all.counted == [201: 20] }, "\(answers.all.counted)\n\(siege.server.lastWords)")
    #expect(try listener.tweets(20).counted == ["Patience": 20])
  }

  @Test func `with few open files allowed it takes fewer connections, and reaches its database`() throws {
    let siege = try Siege(["HASH_THREADS": "1"], descriptorsMax: 128)
    let log = siege.server.log
    #expect(log.contains(#""event":"few_descriptors","descriptors":128"#), "\(siege.server.lastWords)")
    try siege.attacked(withinMiB: 16) {
      let connections = try Self.connections(400, siege.server, saying: Self.request)
      // New connections to the database are made while all that clients may have are taken.
      let ended = try siege.database.rows(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
      )
      #expect(!ended.isEmpty)
      #expect(try eventually { try siege.ada.tweet("All is well").status == 201 }, "\(siege.server.lastWords)")
      if let descriptors = siege.server.process.descriptorCount { #expect(descriptors < 128) }
      _ = connections.count
    }
  }

  @Test func `dripping clients are ended in their time, and hold up nobody`() throws {
    let siege = try Siege(["CONNECTIONS_MAX": "512", "HEADER_TIMEOUT_SECONDS": "1", "BODY_TIMEOUT_SECONDS": "1"])
    try siege.attacked(withinMiB: 24) {
      let starts = [
        "GET /healthz HTTP/1.1\r\nX-Long: ", "POST /v1/login HTTP/1.1\r\nHost: roost\r\nContent-Length: 900\r\n\r\n",
      ]
      var open = try starts.flatMap { try Self.connections(150, siege.server, saying: $0) }
      let start = ContinuousClock.now
      while !open.isEmpty, ContinuousClock.now - start < .seconds(10) {
        sleepMilliseconds(50)
        open.removeAll { connection in
          guard !connection.isReadable(withinMilliseconds: 0) else { return true }
          return (try? connection.send("x")) == nil
        }
      }
      let time = ContinuousClock.now - start
      #expect(open.isEmpty && time > .milliseconds(900) && time < .seconds(6), "\(time): \(open.count)")
    }
  }
}
