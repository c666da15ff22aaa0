import RoostAPI
import TestSupport
import Testing

/// `/metrics`, at its own address.
@Suite(.onThreads) struct MetricsPageTests {
  /// The address that the log names.
  private func address(_ server: TestServer) throws -> HTTPClient.Address {
    let match = try #require(
      server.log.firstMatch(of: #/"event":"metrics","address":"([^"]+)"/#), "\(server.lastWords)")
    return try #require(HTTPClient.Address(String(match.1)))
  }

  private func sample(_ page: String, _ name: String) -> Double? {
    page.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
  }

  @Test func `requests, statements and queues are there, by route and status, and nothing about people`() throws {
    let server = try TestServer(.fresh(), settings: ["METRICS_LISTEN": "127.0.0.1:0", "WORKERS": "2"])
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    for _ in 0..<5 { try ada.me().expect(200) }
    try ada.with(token: nil).me().problem(.signedOut)
    try ada.get("/v1/nowhere").problem(.notFound)
    try ada.get("/v1/users/\(person.username)").expect(200)
    let live = try LiveListener(server, ada)
    #expect(live.status == 200)

    let client = HTTPClient(try address(server))
    let answer = try client.send("GET", "/metrics")
    #expect(answer.status == 200 && answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let page = answer.text
    #expect(sample(page, #"roost_requests_total{route="me",status="200"}"#) == 5)
    #expect(sample(page, #"roost_requests_total{route="me",status="401"}"#) == 1)
    #expect(sample(page, #"roost_requests_total{route="nothing",status="404"}"#) == 1)
    #expect(sample(page, #"roost_requests_total{route="register",status="201"}"#) == 1)
    #expect(sample(page, #"roost_request_seconds_count{route="me"}"#) == 6)
    #expect(sample(page, #"roost_request_seconds_bucket{route="me",le="+Inf"}"#) == 6)
    #expect((sample(page, #"roost_statements_total{effect="read"}"#) ?? 0) >= 6)
    #expect((sample(page, #"roost_statements_total{effect="write"}"#) ?? 0) >= 2)
    #expect(sample(page, #"roost_statements_waiting{effect="read"}"#) == 0)
    #expect((sample(page, #"roost_database_connections{effect="write"}"#) ?? 0) >= 1)
    #expect(sample(page, #"roost_crew_done_total{crew="hash"}"#) == 1)
    #expect(sample(page, "roost_live_streams") == 1)
    #expect(sample(page, "roost_letters_waiting") == 1)
    #expect(sample(page, "roost_loop_lag_seconds_count") != nil)
    for secret in [person.username, person.email, ada.token ?? "roost_", "127.0.0.1"] {
      #expect(!page.contains(secret))
    }
    let lines = page.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.allSatisfy { $0.wholeMatch(of: #/[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.]+/#) != nil })
    #expect(Set(lines.map { $0.prefix { $0 != " " } }).count == lines.count, "no sample twice")
  }

  @Test func `a request that belongs to a trace says so in the log, and others do not`() throws {
    let server = try TestServer(.fresh())
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    let visitor = Visitor(server)
    try visitor.get("/v1/me", headers: [("traceparent", "00-\(trace)-00f067aa0ba902b7-01")]).problem(.signedOut)
    try visitor.get("/v1/feed", headers: [("traceparent", "nonsense")]).problem(.signedOut)
    #expect(try server.stop() == 0)
    let lines = server.log.split(separator: "\n").filter { $0.contains(#""event":"request""#) }
    #expect(lines.first { $0.contains("/v1/me") }?.contains(#""trace":"\#(trace)"}"#) == true)
    #expect(lines.first { $0.contains("/v1/feed") }?.contains("trace") == false)
  }

  @Test func `clients do not find it, and it finds nothing else`() throws {
    let server = try TestServer(.fresh(), settings: ["METRICS_LISTEN": "127.0.0.1:0"])
    try Visitor(server).get("/metrics").problem(.notFound)
    let client = HTTPClient(try address(server))
    #expect(try client.send("GET", "/v1/me").status == 404)
    #expect(try client.send("POST", "/metrics").status == 405)
    #expect(try server.stop() == 0)
  }

  @Test func `it answers while the database is away`() throws {
    let cluster = try OwnCluster()
    let server = try TestServer(cluster.target, settings: ["METRICS_LISTEN": "127.0.0.1:0"])
    let client = HTTPClient(try address(server))
    try cluster.stop()
    let page = try client.send("GET", "/metrics")
    #expect(page.status == 200 && page.text.contains("roost_statements_total"))
    #expect(!page.text.contains("roost_letters_waiting"))
  }
}
