import HTTP
import Testing

@testable import Routes

@Suite struct CrossOriginTests {
  private let open = CrossOrigin(origins: ["https://app.example"])

  private func request(_ method: Method = .get, _ headers: [(Header, String)]) -> Request {
    Request(method: method, target: "/v1/me", peer: "192.0.2.1", headers: headers)
  }

  @Test func `a configured origin may read answers, without credentials`() {
    let headers = open.headers(for: request(.get, [(.origin, "https://app.example")]))
    #expect(headers.first { $0.name == "Access-Control-Allow-Origin" }?.value == "https://app.example")
    #expect(headers.contains { $0.name == "Vary" && $0.value == "Origin" })
    #expect(!headers.contains { $0.name == "Access-Control-Allow-Credentials" })
  }

  @Test(arguments: ["https://app.example.evil", "http://app.example", "https://APP.example", "null", "*"])
  func `another origin may not`(origin: String) {
    let headers = open.headers(for: request(.get, [(.origin, origin)]))
    #expect(headers.map(\.name) == ["Vary"])
    let preflight = request(.options, [(.origin, origin), (.accessControlRequestMethod, "POST")])
    #expect(open.preflight(preflight, allow: "GET, HEAD") == nil)
  }

  @Test func `without configured origins nothing is said`() {
    let closed = CrossOrigin(origins: [])
    #expect(closed.headers(for: request(.get, [(.origin, "https://app.example")])).isEmpty)
    let preflight = request(.options, [(.origin, "https://app.example"), (.accessControlRequestMethod, "GET")])
    #expect(closed.preflight(preflight, allow: "GET, HEAD") == nil)
  }

  @Test func `a preflight says which methods and headers may be sent`() throws {
    let preflight = request(.options, [(.origin, "https://app.example"), (.accessControlRequestMethod, "POST")])
    let answer = try #require(open.preflight(preflight, allow: "GET, HEAD"))
    #expect(answer.status == 204)
    #expect(answer.header("Access-Control-Allow-Methods") == "GET, HEAD")
    for name in ["Authorization", "If-None-Match"] {
      #expect(answer.header("Access-Control-Allow-Headers")?.contains(name) == true)
    }
  }

  @Test func `OPTIONS without a preflight's header is an ordinary request`() {
    #expect(open.preflight(request(.options, [(.origin, "https://app.example")]), allow: "GET, HEAD") == nil)
  }
}
