import EventLoop
import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files in docs/operations: the dashboard, the alerts and the configuration of Prometheus, against a node that serves.
@Suite(.onThreads, .timeLimit(.minutes(5))) struct OperationsFilesTests {
  static let hasPrometheus = TestPrometheus.programs != nil

  static func text(_ path: String) throws -> String {
    try String(contentsOf: SchemathesisTests.root.appending(path: path), encoding: .utf8)
  }

  /// The parts of a Grafana dashboard that are looked at here.
  struct Dashboard: Decodable {
    struct Panel: Decodable {
      struct Target: Decodable { let expr: String }
      let title: String
      let type: String
      let description: String?
      let targets: [Target]?
    }
    let panels: [Panel]

    static func read() throws -> Dashboard {
      let file = SchemathesisTests.root.appending(path: "docs/operations/roost-dashboard.json")
      return try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: file))
    }

    /// Title and expression of each query.
    var queries: [(title: String, expression: String)] {
      panels.flatMap { panel in (panel.targets ?? []).map { (panel.title, $0.expr) } }
    }
  }

  /// The expressions of the alerts, by name.
  static func alerts() throws -> [(name: String, expression: String)] {
    try text("docs/operations/roost-alerts.yml").matches(of: #/- alert: (\w+)\n +expr: (.+)\n/#)
      .map { (String($0.1), String($0.2)) }
  }

  /// The metrics that an expression names; the parts of a histogram by its own name.
  static func metrics(in expression: String) -> Set<String> {
    Set(
      expression.matches(of: #/\b(?:roost|process)_\w+/#).map { match in
        for part in ["_bucket", "_sum", "_count"] where match.output.hasSuffix(part) {
          return String(match.output.dropLast(part.count))
        }
        return String(match.output)
      })
  }

  /// A node, and where its metrics are.
  static func node() throws -> (server: TestServer, metrics: HTTPClient) {
    let server = try TestServer(.fresh(), settings: ["METRICS_LISTEN": "127.0.0.1:0"])
    return (server, HTTPClient(try metricsAddress(of: server)))
  }

  static func metricsAddress(of server: TestServer) throws -> HTTPClient.Address {
    let match = try #require(
      server.log.firstMatch(of: #/"event":"metrics","address":"([^"]+)"/#), "\(server.lastWords)")
    return try #require(HTTPClient.Address(String(match.1)))
  }

  @Test func `dashboard and alerts name metrics that there are, and the dashboard shows each of them`() throws {
    let (server, client) = try Self.node()
    let page = try client.send("GET", "/metrics").text
    let known = Set(page.matches(of: #/# TYPE (\w+) /#).map { String($0.1) })
    #expect(known.count > 30)
    let shown = try Dashboard.read().queries.map { Self.metrics(in: $0.expression) }
    let watched = try Self.alerts().map { Self.metrics(in: $0.expression) }
    #expect(shown.count > 50 && watched.count == 18 && shown.allSatisfy { !$0.isEmpty })
    for names in shown + watched { #expect(names.subtracting(known).isEmpty) }
    #expect(known.subtracting(shown.reduce([]) { $0.union($1) }).isEmpty, "the dashboard leaves some out")
    let documented = try Self.text("docs/operations.md")
    for name in known { #expect(documented.contains("`\(name)"), "docs/operations.md does not tell what \(name) is") }
    #expect(try server.stop() == 0)
  }

  @Test func `each alert says how bad it is, what is the matter and what to do, and is in the document`() throws {
    let text = try Self.text("docs/operations/roost-alerts.yml")
    let parts = text.split(separator: "- alert: ").dropFirst()
    let documented = try Self.text("docs/operations.md")
    for part in parts {
      let name = String(part.prefix { $0 != "\n" })
      #expect(part.contains(#/severity: (critical|warning)\n/#), "\(name)")
      #expect(part.contains(#/summary: ".+"\n/#) && part.contains(#/action: ".+\."\n/#), "\(name)")
      #expect(documented.contains("`\(name)`"), "\(name) is not in docs/operations.md")
    }
  }

  @Test func `the dashboard is one to Grafana too, and each panel says what it shows`() throws {
    let venv = try #require(
      ProcessInfo.processInfo.environment["ROOST_TEST_VENV"], "run `make test`, which makes a Python environment")
    let outcome = try ChildProcess.run(
      "\(venv)/bin/python",
      ["Tests/Dashboard/check.py", "docs/operations/roost-dashboard.json"],
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"],
      folder: SchemathesisTests.root.path, timeoutMilliseconds: 60_000)
    #expect(outcome.succeeded, "\(outcome.output)")
    for panel in try Dashboard.read().panels where panel.type != "row" {
      #expect(panel.description?.hasSuffix(".") == true, "\(panel.title)")
    }
  }

  private func promtool(_ arguments: [String], input: String = "") throws -> ChildProcess.Outcome {
    let programs = try #require(TestPrometheus.programs)
    return try ChildProcess.run(
      "\(programs)/promtool", arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"],
      folder: SchemathesisTests.root.path, input: input, timeoutMilliseconds: 60_000)
  }

  @Test(.enabled(if: hasPrometheus, "\(TestPrometheus.whatIsMissing)"))
  func `promtool finds nothing to complain of in the page, the alerts and the configuration`() throws {
    let (server, client) = try Self.node()
    _ = try Visitor(server).signedUp()
    let page = try client.send("GET", "/metrics").text
    let checked = try promtool(["check", "metrics"], input: page)
    #expect(checked.succeeded && checked.output.isEmpty, "\(checked.output)")
    let odd = try promtool(["check", "metrics"], input: "# TYPE roostRequests counter\nroostRequests 1\n")
    #expect(!odd.succeeded, "promtool reads what it is given")
    for arguments in [
      ["check", "config", "docs/operations/prometheus.yml"], ["check", "rules", "docs/operations/roost-alerts.yml"],
      ["test", "rules", "Tests/Alerts/roost-alerts.test.yml"],
    ] {
      let outcome = try promtool(arguments)
      #expect(outcome.succeeded && outcome.output.contains("SUCCESS"), "\(outcome.output)")
    }
    let tried = try Self.text("Tests/Alerts/roost-alerts.test.yml")
    for (name, _) in try Self.alerts() { #expect(tried.contains("alertname: \(name)\n"), "\(name) is not tried") }
  }

  // MARK: A real Prometheus

  /// What its API answers to a query.
  struct Answer: Decodable {
    struct Sample: Decodable {
      let value: Double

      enum Key: CodingKey { case value }

      init(from decoder: any Decoder) throws {
        var pair = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .value)
        _ = try pair.decode(Double.self)
        value = Double(try pair.decode(String.self)) ?? .nan
      }
    }
    struct Found: Decodable { let result: [Sample] }
    let data: Found
  }

  /// What it says of its rules.
  struct Rules: Decodable {
    struct Rule: Decodable {
      let name: String
      let state: String
      let health: String
      let lastError: String?
    }
    struct Group: Decodable { let rules: [Rule] }
    struct Found: Decodable { let groups: [Group] }
    let data: Found

    var all: [Rule] { data.groups.flatMap(\.rules) }
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-".utf8)

  private func value(of expression: String, in prometheus: TestPrometheus) throws -> [Double] {
    let written = expression.replacing("$__rate_interval", with: "20s").replacing("$instance", with: ".*")
    let escaped = written.utf8.map { byte in
      let hex = String(byte, radix: 16, uppercase: true)
      return Self.plain.contains(byte) ? String(UnicodeScalar(byte)) : "%\(hex.count < 2 ? "0" : "")\(hex)"
    }
    let answer = try prometheus.get("/api/v1/query?query=\(escaped.joined())", as: Answer.self)
    return answer.data.result.map(\.value)
  }

  /// Panels of what does not happen here, whose quotient is 0 by 0.
  static let idle: Set<String> = ["Time of these waits"]

  @Test(.enabled(if: hasPrometheus, "\(TestPrometheus.whatIsMissing)"))
  func `a real Prometheus reads a node, finds data for every panel, and notices its end`() throws {
    let programs = try #require(TestPrometheus.programs)
    let (server, _) = try Self.node()
    let root = SchemathesisTests.root
    let configuration = try Self.text("docs/operations/prometheus.yml")
      .replacing("127.0.0.1:9100", with: "\(Self.metricsAddress(of: server))")
      .replacing("interval: 15s", with: "interval: 250ms")
      .replacing("- roost-alerts.yml", with: "- \(root.path)/docs/operations/roost-alerts.yml")
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    let prometheus = try TestPrometheus(programs, configuration: configuration)
    #expect(try eventually { try value(of: #"count(up{job="roost"} == 1)"#, in: prometheus) == [1] })

    // Rates need two looks with something between them.
    func use() throws {
      for _ in 0..<5 { try ada.me().expect(200) }
      try ada.tweet("Watched").expect(201)
      try ada.get("/v1/feed").expect(200)
      try Visitor(server).logIn(person.email, person.password).expect(201)
    }
    try use()
    let watched = "sum(rate(roost_requests_total{route=\"login\"}[20s]))"
    #expect(
      try eventually {
        try use()
        return try value(of: watched, in: prometheus).contains { $0 > 0 }
      })
    for (title, expression) in try Dashboard.read().queries {
      let values = try value(of: expression, in: prometheus)
      #expect(!values.isEmpty, "\(title): nothing for \(expression)")
      #expect(Self.idle.contains(title) || values.contains { !$0.isNaN }, "\(title): no number for \(expression)")
    }

    func rules() throws -> [Rules.Rule] { try prometheus.get("/api/v1/rules", as: Rules.self).all }
    #expect(try eventually { try rules().allSatisfy { $0.health == "ok" } })
    #expect(try rules().map(\.name) == (try Self.alerts()).map(\.name))
    #expect(try rules().filter { $0.state != "inactive" }.map(\.name) == [])
    server.kill()
    #expect(try eventually { try rules().contains { $0.name == "RoostDown" && $0.state == "pending" } })
  }
}
