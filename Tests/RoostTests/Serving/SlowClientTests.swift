import RoostAPI
import TestSupport
import Testing

/// Clients that take their time: each step has a time limit, here of one second.
@Suite(.onThreads) struct SlowClientTests {
  let server: TestServer

  init() throws {
    server = try TestServer(
      .fresh(),
      settings: ["HEADER_TIMEOUT_SECONDS": "1", "BODY_TIMEOUT_SECONDS": "1", "IDLE_TIMEOUT_SECONDS": "1"])
  }

  private static let bodyHead =
    "POST /v1/login HTTP/1.1\r\nHost: roost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n"

  /// How long the server lets something last; the limit is one second, and a busy machine has some more.
  private func duration(of body: () throws -> Void) throws -> Duration { try ContinuousClock().measure(body) }

  @Test(arguments: [
    "", "GET /hea", "GET /healthz HTTP/1.1\r\n", "GET /healthz HTTP/1.1\r\nHost: roost\r\n",
    "GET /healthz HTTP/1.1\r\nHost: roost\r\nX-",
    bodyHead, bodyHead + #"{"login":"#,
    "POST /v1/login HTTP/1.1\r\nHost: roost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"l",
  ])
  func `a request that stops half-way is answered 408, and the connection ends`(start: String) throws {
    let connection = try RawConnection(server.address)
    try connection.send(start)
    let time = try duration {
      let answer = try connection.readResponse()
      try answer.problem(.requestTimeout)
      #expect(answer["Connection"] == "close")
      #expect(try connection.readToEnd().isEmpty)
    }
    #expect(time > .milliseconds(900) && time < .seconds(5), "\(time)")
  }

  @Test func `dripping a head or a body does not stretch the time`() throws {
    for (head, drip) in [("GET /healthz HTTP/1.1\r\nHost: roost\r\nX-Long: ", "x"), (Self.bodyHead, " ")] {
      let connection = try RawConnection(server.address)
      try connection.send(head)
      let time = try duration {
        while !connection.isReadable(withinMilliseconds: 50) { try connection.send(drip) }
        try connection.readResponse().problem(.requestTimeout)
      }
      #expect(time > .milliseconds(900) && time < .seconds(5), "\(time)")
    }
  }

  @Test func `an idle connection is closed without a word`() throws {
    let connection = try RawConnection(server.address)
    try connection.send("GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\n")
    try connection.readResponse().expect(200)
    let time = try duration { try #require(try connection.readToEnd().isEmpty) }
    #expect(time > .milliseconds(900) && time < .seconds(5), "\(time)")
  }

  @Test func `a second request that stops half-way is answered 408 too`() throws {
    let connection = try RawConnection(server.address)
    try connection.send("GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\nGET /healthz HTTP/1.1\r\nHo")
    try connection.readResponse().expect(200)
    try connection.readResponse().problem(.requestTimeout)
    #expect(try connection.readToEnd().isEmpty)
  }

  @Test func `a connection in use lives on`() throws {
    let client = server.client()
    for _ in 0..<8 {
      try client.send("GET", "/healthz").expect(200)
      sleepMilliseconds(200)
    }
  }

  @Test func `a request that the server is slow at is not cut off`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database,
      settings: [
        "HEADER_TIMEOUT_SECONDS": "1", "BODY_TIMEOUT_SECONDS": "1", "IDLE_TIMEOUT_SECONDS": "1",
        "DATABASE_TIMEOUT_MILLISECONDS": "20000",
      ])
    let ada = try Visitor(server).signedUp()
    let lock = try TableLock("tweet", database.target)
    let answer = Collected<Int>()
    inBackground { answer.append((try? ada.tweet("Patience").status) ?? 0) }
    sleepMilliseconds(2_500)
    #expect(answer.count == 0)
    try lock.release()
    #expect(eventually { answer.all == [201] }, "\(server.lastWords)")
  }

  @Test func `clients that do not read their answers are cut off, and hold up nobody`() throws {
    let greedy = try (0..<5).map { _ in
      let connection = try RawConnection(server.address, receiveBytes: 4_096)
      let pipelined = String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: roost\r\n\r\n", count: 400)
      inBackground { try? connection.send(pipelined) }
      return connection
    }
    for _ in 0..<20 { try Visitor(server).get("/healthz").expect(200) }
    _ = greedy.count
  }
}
