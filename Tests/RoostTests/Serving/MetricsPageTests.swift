import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    // Who presents no token costs none.
    #expect(sample(page, #"roost_request_statements_total{route="me"}"#) == 5)
    #expect(sample(page, #"roost_request_statements_total{route="register"}"#) == 2)
    #expect(sample(page, #"roost_request_statements_total{route="nothing"}"#) == 0)
    #expect((sample(page, #"roost_request_statement_seconds_total{route="me"}"#) ?? 0) > 0)
    #expect((sample(page, #"roost_pipeline_depth_count{effect="read"}"#) ?? 0) >= 6)
    #expect((sample(page, #"roost_statement_seconds_count{effect="read"}"#) ?? 0) >= 6)
    #expect(sample(page, #"roost_crew_work_seconds_count{crew="hash"}"#) == 1)
    #expect(sample(page, #"roost_crew_threads{crew="hash"}"#) == 1)
    #expect(sample(page, "roost_database_up") == 1)
    #expect((sample(page, "roost_letters_oldest_seconds") ?? -1) > 0)
    #expect((sample(page, "roost_http_connections") ?? 0) >= 1)
    #expect(sample(page, #"roost_statements_failed_total{reason="unavailable"}"#) == 0)
    #expect(page.contains(#"roost_build_info{version="0.1.0","#))
    for secret in [person.username, person.email, ada.token ?? "roost_", "127.0.0.1"] {
      #expect(!page.contains(secret))
    }
    let lines = page.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.allSatisfy { $0.wholeMatch(of: #/[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.]+/#) != nil })
    #expect(Set(lines.map { $0.prefix { $0 != " " } }).count == lines.count, "no sample twice")
  }

  @Test func `limits that are hit and requests that the server refuses are counted by name`() throws {
    let server = try TestServer(
      .fresh(),
      settings: [
        "METRICS_LISTEN": "127.0.0.1:0", "LIMIT_USERNAMES_ADDRESS": "2", "LIMIT_LOGIN_ACCOUNT_ADDRESS": "1",
      ])
    let visitor = Visitor(server)
    for _ in 0..<2 { try visitor.get("/v1/usernames/ada").expect(200) }
    for _ in 0..<3 { try visitor.get("/v1/usernames/ada").problem(.tooManyRequests) }
    try visitor.logIn("ada", "no password of hers").problem(.wrongCredentials)
    try visitor.logIn("ada", "no password of hers").problem(.tooManyRequests)
    let long = String(repeating: "x", count: 20_000)
    #expect(try visitor.get("/v1/me", headers: [("User-Agent", long)]).status == 431)
    let page = try HTTPClient(address(server)).send("GET", "/metrics").text
    #expect(sample(page, #"roost_limits_hit_total{limit="usernames_address"}"#) == 3)
    #expect(sample(page, #"roost_limits_hit_total{limit="login_account_address"}"#) == 1)
    #expect(sample(page, #"roost_limits_hit_total{limit="login_address"}"#) == 0)
    #expect(sample(page, #"roost_requests_total{route="usernameAvailability",status="429"}"#) == 3)
    #expect(sample(page, #"roost_requests_total{route="refused",status="431"}"#) == 1)
    #expect(sample(page, #"roost_crew_refused_total{crew="hash"}"#) == 0)
  }

  @Test func `the letter that a request posts is none of its cost`() throws {
    let server = try TestServer(.fresh(), settings: ["METRICS_LISTEN": "127.0.0.1:0", "MAIL_URL": "log:"])
    _ = try Visitor(server).signedUp()
    let client = HTTPClient(try address(server))
    func page() throws -> String { try client.send("GET", "/metrics").text }
    #expect(
      try eventually {
        let page = try page()
        return sample(page, #"roost_letters_total{outcome="sent"}"#) == 1 && sample(page, "roost_letters_waiting") == 0
      })
    let after = try page()
    #expect(sample(after, #"roost_request_statements_total{route="register"}"#) == 2)
    #expect((sample(after, #"roost_statements_total{effect="write"}"#) ?? 0) >= 4, "the letter took two")
    #expect(sample(after, "roost_letters_oldest_seconds") == 0)
  }

  @Test func `the process tells what it takes`() throws {
    let before = Date().timeIntervalSince1970
    let server = try TestServer(.fresh(), settings: ["METRICS_LISTEN": "127.0.0.1:0"])
    let page = try HTTPClient(address(server)).send("GET", "/metrics").text
    #expect((sample(page, "process_cpu_seconds_total") ?? 0) > 0)
    let (open, most) = (sample(page, "process_open_fds") ?? 0, sample(page, "process_max_fds") ?? 0)
    #expect(open > 5 && open < most)
    #if os(Linux)
      // One that is just being opened or closed makes a difference for a moment.
      let client = HTTPClient(try address(server))
      #expect(
        try eventually {
          let page = try client.send("GET", "/metrics").text
          return sample(page, "process_open_fds") == server.process.descriptorCount.map(Double.init)
        })
      #expect((4_000_000...400_000_000).contains(sample(page, "process_resident_memory_bytes") ?? 0))
      let started = sample(page, "process_start_time_seconds") ?? 0
      #expect(abs(started - before) < 5)
    #endif
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
    try Visitor(server).get("/readyz").expect(200)
    try cluster.stop()
    let page = try client.send("GET", "/metrics")
    #expect(page.status == 200 && page.text.contains("roost_statements_total"))
    #expect(!page.text.contains("roost_letters_waiting"))
    #expect(sample(page.text, "roost_database_up") == 0)
    #expect((sample(page.text, #"roost_pool_wait_seconds_count{effect="read"}"#) ?? 0) >= 1)
    #expect((sample(page.text, #"roost_statements_failed_total{reason="unavailable"}"#) ?? 0) >= 1)
    #expect((sample(page.text, #"roost_database_connections_lost_total{effect="read"}"#) ?? 0) >= 1)
  }
}
