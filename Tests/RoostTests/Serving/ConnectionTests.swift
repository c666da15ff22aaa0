import RoostAPI
import TestSupport
import Testing

/// Connections that end where they should not, or are too many.
@Suite(.onThreads) struct ConnectionTests {
  @Test func `clients that leave half-way leave nothing behind`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database,
      settings: [
        "LIMIT_LOGIN_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT": "0",
        "HASH_QUEUE_MAX": "100000",
      ])
    let ada = try Visitor(server).signedUp()
    let login = #"{"login":"ghost","password":"wrong horse"}"#
    let head =
      "POST /v1/login HTTP/1.1\r\nHost: roost\r\nContent-Type: application/json\r\nContent-Length: \(login.utf8.count)\r\n\r\n"
    let me = "GET /v1/me HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer \(ada.token ?? "")\r\n\r\n"
    let manners = [
      "", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nHost: r", head, head + String(login.prefix(10)), head + login,
      me, me + me + head + login,
      String(repeating: me, count: 50), "GET /openapi.json HTTP/1.1\r\nHost: roost\r\n\r\n",
      "POST /v1/tweets HTTP/1.1\r\nHost: roost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"t",
    ]
    func misbehave(rounds: Int) throws {
      for round in 0..<rounds {
        for (index, bytes) in manners.enumerated() {
          let connection = try RawConnection(server.address)
          try? connection.send(bytes)
          // Some leave at once, some a moment later; some say goodbye and some do not.
          if (round + index).isMultiple(of: 3) { sleepMilliseconds(2) }
          if (round + index).isMultiple(of: 2) { connection.breakAtEnd() }
        }
      }
    }
    func settle() throws {
      #expect(try eventually { try ada.me().status == 200 && Self.queuedHashes(server, login) }, "\(server.lastWords)")
    }
    // The first round fills buffers and caches.
    try misbehave(rounds: 3)
    try settle()
    let descriptors = settledDescriptorCount(of: server)
    let before = server.process.residentKiB
    try misbehave(rounds: 25)
    try settle()
    let isBack = eventually { server.process.descriptorCount ?? 0 <= (descriptors ?? 0) + Self.descriptorsAtWork }
    #expect(isBack, "\(descriptors ?? 0) descriptors became \(server.process.descriptorCount ?? 0)")
    if let before, let after = server.process.residentKiB {
      #expect(after - before < 8 * 1_024, "\(before) KiB became \(after) KiB")
    }
    #expect(server.process.ending == nil)
    #expect(!server.log.contains(#""level":"error""#))
  }

  /// A connection to the database may just be made anew; hundreds of clients that leak would show far above it.
  private static let descriptorsAtWork = 2

  /// True once the hashes of those who have left are done: one more login gets its answer.
  private static func queuedHashes(_ server: TestServer, _ login: String) throws -> Bool {
    try Visitor(server).post("/v1/login", json: login).status == 401
  }

  @Test func `a client that has said all it wants to say still gets its answers`() throws {
    let server = try TestServer(.fresh())
    let login = #"{"login":"ghost","password":"wrong horse"}"#
    let connection = try RawConnection(server.address)
    try connection.send(
      "POST /v1/login HTTP/1.1\r\nHost: roost\r\nContent-Type: application/json\r\nContent-Length: \(login.utf8.count)\r\n\r\n\(login)"
        + "GET /healthz HTTP/1.1\r\nHost: roost\r\nConnection: close\r\n\r\n")
    connection.finishSending()
    try connection.readResponse().expect(401)
    try connection.readResponse().expect(200)
    #expect(try connection.readToEnd().isEmpty)
  }

  @Test func `connections beyond the most that there may be wait for a place`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database, settings: ["CONNECTIONS_MAX": "8", "WORKERS": "1", "DATABASE_TIMEOUT_MILLISECONDS": "20000"])
    let ada = try Visitor(server).signedUp()
    ada.client.close()
    let body = #"{"text":"Patience"}"#
    let slow =
      "POST /v1/tweets HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer \(ada.token ?? "")\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    // Again and again: whoever stops listening must begin again each time.
    for _ in 0..<4 {
      let lock = try TableLock("tweet", database.target)
      func connections(_ count: Int, _ request: String) throws -> [RawConnection] {
        try (0..<count).map { _ in
          let connection = try RawConnection(server.address)
          try connection.send(request)
          return connection
        }
      }
      let holders = try connections(8, slow)
      sleepMilliseconds(100)
      let waiting = try connections(4, "GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\n")
      #expect(!waiting.contains { $0.isReadable(withinMilliseconds: 50) }, "there is no place for them")
      try lock.release()
      for holder in holders { try holder.readResponse().expect(201) }
      // Those that have their answers make room, although they stay.
      for connection in waiting { try connection.readResponse().expect(200) }
    }
    #expect(server.process.ending == nil)
  }

  @Test func `a thousand connections are held at once and let go`() throws {
    let server = try TestServer(.fresh())
    let client = server.client()
    try client.send("GET", "/healthz").expect(200)
    let before = settledDescriptorCount(of: server)
    var connections = try (0..<1_000).map { _ in try RawConnection(server.address) }
    for connection in connections { try connection.send("GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\n") }
    for connection in connections { try connection.readResponse().expect(200) }
    if let before {
      #expect(server.process.descriptorCount ?? 0 >= before + 1_000)
      connections = []
      #expect(eventually { server.process.descriptorCount ?? 0 <= before + Self.descriptorsAtWork })
    }
    try client.send("GET", "/healthz").expect(200)
  }

  @Test func `a server that nobody asks does nothing`() throws {
    let server = try TestServer(.fresh())
    try Visitor(server).get("/readyz").expect(200)
    sleepMilliseconds(500)
    guard let before = server.process.cpuMilliseconds else { return }
    sleepMilliseconds(1_000)
    let used = try #require(server.process.cpuMilliseconds) - before
    #expect(used <= 50, "\(used) ms of processor time in a second")
  }

  @Test func `requests do not make it grow`() throws {
    let server = try TestServer(.fresh(), settings: ["LIMIT_USERNAMES_ADDRESS": "0"])
    let ada = try Visitor(server).signedUp()
    try ada.tweet("Something to read").expect(201)
    func work(_ rounds: Int) throws {
      for _ in 0..<rounds {
        try ada.me().expect(200)
        try ada.get("/v1/feed").expect(200)
        try ada.get("/v1/usernames/bird").expect(200)
        try ada.get("/nowhere").expect(404)
        try ada.post("/v1/tweets", json: "{").expect(400)
      }
    }
    try work(300)
    guard let before = server.process.residentKiB else { return }
    try work(1_000)
    let grown = try #require(server.process.residentKiB) - before
    #expect(grown < 2 * 1_024, "5,000 requests took \(grown) KiB")
  }

  /// How many descriptors it has once it opens and closes no more: its connections to the database come one by one.
  private func settledDescriptorCount(of server: TestServer) -> Int? {
    var last = server.process.descriptorCount
    var quiet = 0
    while quiet < 20 {
      sleepMilliseconds(25)
      let now = server.process.descriptorCount
      quiet = now == last ? quiet + 1 : 0
      last = now
    }
    return last
  }
}
