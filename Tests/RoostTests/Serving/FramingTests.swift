import RoostAPI
import TestSupport
import Testing

/// HTTP/1.1 on the wire, byte by byte (RFC 9112).
@Suite(.onThreads) struct FramingTests {
  let server: TestServer

  init() throws {
    server = try TestServer(.fresh(), settings: ["LIMIT_TWEETS_ACCOUNT": "0", "HEADER_TIMEOUT_SECONDS": "2"])
  }

  private func connect() throws -> RawConnection { try RawConnection(server.address, timeoutMilliseconds: 15_000) }

  private func request(_ method: String, _ target: String, _ headers: [String] = [], body: String = "") -> String {
    ([("\(method) \(target) HTTP/1.1"), "Host: roost"] + headers).joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// A tweet, with whatever stands for its length and its body.
  private func tweet(_ visitor: Visitor, _ headers: [String], _ body: String) -> String {
    request(
      "POST", "/v1/tweets",
      ["Authorization: Bearer \(visitor.token ?? "")", "Content-Type: application/json"] + headers,
      body: body)
  }

  @Test func `pipelined requests are answered in their order, the slow ones too`() throws {
    let connection = try connect()
    let login = #"{"login":"ghost","password":"wrong horse"}"#
    let slow = request(
      "POST", "/v1/login",
      ["Content-Type: application/json", "Content-Length: \(login.utf8.count)", "X-Request-ID: slow"],
      body: login)
    var all = ""
    for round in 0..<5 {
      all += slow
      for index in 0..<20 { all += request("GET", "/healthz", ["X-Request-ID: \(round).\(index)"]) }
      all += request("GET", "/v1/usernames/bird", ["X-Request-ID: \(round).name"])
    }
    try connection.send(all)
    for round in 0..<5 {
      #expect(try connection.readResponse()["X-Request-ID"] == "slow")
      for index in 0..<20 {
        let answer = try connection.readResponse()
        #expect(answer.status == 200 && answer["X-Request-ID"] == "\(round).\(index)")
      }
      let answer = try connection.readResponse()
      #expect(answer["X-Request-ID"] == "\(round).name" && answer.text.contains(#""username":"bird""#))
    }
  }

  @Test func `a flood of pipelined requests is answered, each once`() throws {
    let connection = try connect()
    let count = 5_000
    // Nobody reads the answers until all is sent: the server must not keep them all in memory, nor lose one.
    inBackground { [self] in try? connection.send(String(repeating: request("GET", "/healthz"), count: count)) }
    for _ in 0..<count { try connection.readResponse().expect(200) }
    #expect(!connection.isReadable(withinMilliseconds: 100))
  }

  @Test func `bytes may come one by one`() throws {
    let ada = try Visitor(server).signedUp()
    let connection = try connect()
    for byte in tweet(ada, ["Content-Length: 12"], #"{"text":"a"}"#).utf8 { try connection.send([byte]) }
    try connection.readResponse().expect(201)
    for byte in request("GET", "/healthz").utf8 { try connection.send([byte]) }
    try connection.readResponse().expect(200)
  }

  @Test func `a body may come in chunks`() throws {
    let ada = try Visitor(server).signedUp()
    let connection = try connect()
    for body in [
      "c\r\n{\"text\":\"a\"}\r\n0\r\n\r\n", "1\r\n{\r\n00b\r\n\"text\":\"b\"}\r\n0\r\n\r\n",
      "C;name=value\r\n{\"text\":\"c\"}\r\n0\r\n\r\n", "c\r\n{\"text\":\"d\"}\r\n0\r\nTrailer: x\r\n\r\n",
      (#"{"text":"e"}"#.map { "1\r\n\($0)\r\n" }.joined()) + "0\r\n\r\n",
    ] {
      try connection.send(tweet(ada, ["Transfer-Encoding: chunked"], body))
      try connection.readResponse().expect(201)
    }
    // The next request begins where the last chunk ends.
    try connection.send(request("GET", "/healthz"))
    try connection.readResponse().expect(200)
    #expect(
      try ada.get("/v1/feed").decoded(Page<Tweet>.self).items.map(\.text).reversed() == ["a", "b", "c", "d", "e"])
  }

  @Test func `chunks that are none are refused, and nothing after them is read as a request`() throws {
    let ada = try Visitor(server).signedUp()
    let smuggled = request("GET", "/healthz", ["X-Request-ID: smuggled"])
    for body in [
      "z\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n", "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
      "0x2\r\n{}\r\n0\r\n\r\n",
      "\r\n{}\r\n0\r\n\r\n", "2\r\n{}xx0\r\n\r\n",
    ] {
      let connection = try connect()
      try connection.send(tweet(ada, ["Transfer-Encoding: chunked"], body) + smuggled)
      let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 4"), "\(body.debugDescription): \(text)")
      #expect(!text.contains("smuggled"), "\(body.debugDescription)")
    }
    #expect(try ada.me().decoded(Account.self).tweets == 0)
  }

  @Test func `a body that is too long in chunks is refused`() throws {
    let ada = try Visitor(server).signedUp()
    let connection = try connect()
    let chunk = "400\r\n" + String(repeating: " ", count: 1_024) + "\r\n"
    try connection.send(tweet(ada, ["Transfer-Encoding: chunked"], String(repeating: chunk, count: 80) + "0\r\n\r\n"))
    try connection.readResponse().problem(.bodyTooLarge)
    try ada.me().expect(200)
  }

  /// Two readers of such a request, a proxy and this server, may find its end at different places.
  @Test func `a request whose length is in doubt is refused, and nothing after it is answered`() throws {
    let ada = try Visitor(server).signedUp()
    let smuggled = request("GET", "/healthz", ["X-Request-ID: smuggled"])
    for headers in [
      ["Content-Length: 12", "Content-Length: 12"], ["Content-Length: 12", "Content-Length: 0"],
      ["Content-Length: 0", "Content-Length: 12"], ["Content-Length: 12", "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: chunked", "Content-Length: 12"], ["Content-Length: 12, 12"], ["Content-Length: +12"],
      ["Content-Length: -1"], ["Content-Length: 0x0c"], ["Content-Length: 1e1"], ["Content-Length: "],
      ["Content-Length: 12a"],
      ["Transfer-Encoding: identity"], ["Transfer-Encoding: gzip"], ["Transfer-Encoding: gzip, chunked"],
      ["Transfer-Encoding: chunked, chunked"], ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], ["Transfer-Encoding: xchunked"],
      ["Transfer-Encoding: "],
      ["Transfer-Encoding : chunked"], ["Content-Length : 12"],
    ] {
      let connection = try connect()
      try connection.send(tweet(ada, headers, #"{"text":"a"}"#) + smuggled)
      let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 400"), "\(headers): \(text)")
      #expect(!text.contains("smuggled"), "\(headers): \(text)")
    }
    #expect(try ada.me().decoded(Account.self).tweets == 0)
  }

  @Test func `a length beyond all numbers is refused`() throws {
    let ada = try Visitor(server).signedUp()
    for length in ["99999999999999999999999", "18446744073709551616", "9223372036854775807", "4294967296", "65537"] {
      let connection = try connect()
      try connection.send(tweet(ada, ["Content-Length: \(length)"], ""))
      let answer = try connection.readResponse()
      #expect(answer.status == 413 || answer.status == 400, "\(length): \(answer)")
    }
  }

  @Test func `Expect is answered with 100 before the body, and a refusal comes without it`() throws {
    let ada = try Visitor(server).signedUp()
    let connection = try connect()
    try connection.send(tweet(ada, ["Content-Length: 12", "Expect: 100-continue"], ""))
    #expect(try connection.readResponse().status == 100)
    #expect(!connection.isReadable(withinMilliseconds: 50), "the rest waits for the body")
    try connection.send(#"{"text":"a"}"#)
    try connection.readResponse().expect(201)
    // Whoever does not wait gets the same.
    try connection.send(tweet(ada, ["Content-Length: 12", "Expect: 100-continue"], #"{"text":"b"}"#))
    var answer = try connection.readResponse()
    if answer.status == 100 { answer = try connection.readResponse() }
    try answer.expect(201)

    let refused = try connect()
    try refused.send(tweet(ada, ["Content-Length: 70000", "Expect: 100-continue"], ""))
    try refused.readResponse().problem(.bodyTooLarge)
    #expect(try ada.me().decoded(Account.self).tweets == 2)
  }

  @Test func `HEAD has no body, and the connection goes on`() throws {
    let connection = try connect()
    for target in ["/healthz", "/v1/me", "/nowhere", "/openapi.json"] {
      try connection.send(request("HEAD", target) + request("GET", "/healthz", ["X-Request-ID: next"]))
      let head = try connection.readResponse(toHEAD: true)
      #expect(head.body.isEmpty && head["Content-Length"] != "0")
      #expect(try connection.readResponse()["X-Request-ID"] == "next")
    }
  }

  @Test func `one Host, and one only`() throws {
    for (head, isGood) in [
      ("GET /healthz HTTP/1.1\r\nHost: roost\r\n\r\n", true), ("GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", true),
      ("GET /healthz HTTP/1.0\r\n\r\n", true), ("GET /healthz HTTP/1.1\r\n\r\n", false),
      ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", false),
      ("GET /healthz HTTP/1.1\r\nhost: a\r\nHOST: b\r\n\r\n", false),
      ("GET http://roost/healthz HTTP/1.1\r\nHost: evil\r\n\r\n", false),
      ("GET roost:80 HTTP/1.1\r\nHost: roost\r\n\r\n", false),
    ] {
      let connection = try connect()
      try connection.send(head)
      #expect(try connection.readResponse().status == (isGood ? 200 : 400), "\(head)")
    }
  }

  @Test func `names of headers have no case, names of methods do`() throws {
    let ada = try Visitor(server).signedUp()
    for name in ["authorization", "AUTHORIZATION", "Authorization", "aUTHORIZATION"] {
      let connection = try connect()
      try connection.send(request("GET", "/v1/me", ["\(name): Bearer \(ada.token ?? "")"]))
      try connection.readResponse().expect(200)
    }
    let connection = try connect()
    try connection.send(
      "post /v1/tweets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(ada.token ?? "")\r\ncontent-type: application/json\r\n"
        + "content-length: 12\r\n\r\n{\"text\":\"a\"}")
    #expect(try connection.readResponse().status == 405)
  }

  @Test func `what is not HTTP is refused or dropped`() throws {
    let garbage: [[UInt8]] =
      [
        "\r\n\r\n\r\n", "GET\r\n\r\n", "GET /healthz\r\n\r\n", "GET /healthz HTTP/9.9\r\n\r\n",
        "GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET  /healthz  HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /health z HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\u{0}b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\n X: folded\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n folded\r\n\r\n", "GET /heal\u{0}thz HTTP/1.1\r\nHost: x\r\n\r\n",
      ].map { Array($0.utf8) } + [
        [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03], [UInt8](repeating: 0, count: 500),
        (0..<2_000).map { _ in UInt8.random(in: 0...255) },
      ]
    for bytes in garbage {
      let connection = try connect()
      try connection.send(bytes)
      connection.finishSending()
      let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
      let isBounded = text.isEmpty || text.wholeMatch(of: #/HTTP/1.1 [2-5]\d\d (?s:.*)/#) != nil
      #expect(
        isBounded && !text.hasPrefix("HTTP/1.1 500"),
        "\(String(decoding: bytes, as: UTF8.self).debugDescription): \(text)")
    }
    try Visitor(server).get("/healthz").expect(200)
  }

  @Test func `a head of a mebibyte is refused, in one header or in many`() throws {
    let long = "X-Long: " + String(repeating: "x", count: 1_024 * 1_024)
    let many = (0..<20_000).map { "X-\($0): x" }
    for headers in [[long], many, [String(repeating: "n", count: 100_000) + ": x"]] {
      let connection = try connect()
      try? connection.send(request("GET", "/healthz", headers))
      let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 431"), "\(text)")
    }
    let target = try connect()
    try? target.send(request("GET", "/" + String(repeating: "a", count: 1_024 * 1_024)))
    let text = String(decoding: try target.readToEnd(), as: UTF8.self)
    #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 414") || text.hasPrefix("HTTP/1.1 431"), "\(text)")
  }

  @Test func `a head has 16 KiB at most`() throws {
    let visitor = Visitor(server)
    try visitor.get("/healthz", headers: [("X-Long", String(repeating: "x", count: 16_000))]).expect(200)
    try visitor.get("/healthz", headers: [("X-Long", String(repeating: "x", count: 16_500))]).problem(
      .headerFieldsTooLarge)
    try visitor.get("/healthz", headers: (0..<200).map { ("X-\($0)", "x") }).expect(200)
  }

  @Test func `more cookies or parameters than there is room for do no harm`() throws {
    let visitor = Visitor(server)
    try visitor.get("/healthz", headers: [("Cookie", (0..<100).map { "c\($0)=x" }.joined(separator: "; "))]).expect(200)
    for bytes in [
      request("GET", "/healthz", ["Cookie: " + String(repeating: "a=b; ", count: 3_000)]),
      request("GET", "/healthz?" + String(repeating: "a&", count: 7_000)),
    ] {
      let connection = try connect()
      try connection.send(bytes)
      let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 4"), "\(text)")
    }
    try visitor.get("/healthz").expect(200)
  }
}
