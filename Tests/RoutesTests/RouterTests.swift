import HTTP
import Log
import Postgres
import RoostAPI
import Services
import Store
import TestSupport
import Testing

@testable import Routes

@Suite(.timeLimit(.minutes(5))) struct RouterTests {
  @Test func `the routes are the calls of the API, and no others`() throws {
    let router = Router(try App.bare(), log: .off)
    #expect(router.endpoints.count == Endpoint.all.count)
    #expect(Set(router.endpoints) == Set(Endpoint.all))
  }

  @Test(arguments: [
    (HTTP.Method.get, "/nothing", 404, "not_found"), (.post, "/v1/me", 405, "method_not_allowed"),
    (.options, "/v1/me", 405, "method_not_allowed"), (.other, "/", 405, "method_not_allowed"),
    (.get, "/v1/me", 401, "signed_out"), (.get, "/v1/usernames/%FF", 400, "malformed_request"),
    (.post, "/v1/login", 415, "unsupported_media_type"), (.get, "/v1/feed?limit=0", 400, "malformed_query"),
    (.get, "/v1/feed?limit=1", 401, "signed_out"), (.get, "/v1/tweets/x", 404, "not_found"),
  ])
  func `what needs no database is answered without one`(
    method: HTTP.Method, target: String, status: Int, code: String
  ) async throws {
    let router = Router(try App.bare(), log: .off)
    let response = await router.respond(
      to: Request(method: method, target: target, peer: "192.0.2.1", headers: [(.requestID, "r-7")]))
    #expect(response.status == status && response.code == code)
    #expect(response.headers.filter { $0.name == "X-Request-ID" }.map(\.value) == ["r-7"])
    #expect(try response.decoded(as: Problem.self).requestId == "r-7")
    #expect((response.header("Allow") != nil) == (status == 405))
    #expect(response.header("WWW-Authenticate") == (status == 401 ? "Bearer" : nil))
  }

  @Test(arguments: ["http://127.0.0.1:8080", "https://roost.example"])
  func `every answer's type is to be believed, and who came by https stays with it`(url: String) async throws {
    let router = Router(try App.bare(publicURL: url), log: .off)
    let year = url.hasPrefix("https:") ? "max-age=31536000" : nil
    for target in ["/", "/api", "/healthz", "/openapi.json", "/v1/me", "/v1/avatars/x.jpg", "/nothing"] {
      let response = await router.respond(to: Request(method: .get, target: target, peer: "192.0.2.1"))
      #expect(response.headers.filter { $0.name == "X-Content-Type-Options" }.map(\.value) == ["nosniff"], "\(target)")
      #expect(response.header("Strict-Transport-Security") == year, "\(target)")
    }
    let refused = router.refuse(.tooSlow, of: nil)
    #expect(refused.header("X-Content-Type-Options") == "nosniff")
    #expect(refused.header("Strict-Transport-Security") == year)
  }

  @Test(arguments: [
    "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/problem+json", "json", "",
    "text/json", "multipart/form-data; boundary=application/json",
  ])
  func `a body of another type is refused before it is read`(type: String) async throws {
    let router = Router(try App.bare(), log: .off)
    let response = await router.respond(
      to: Request(
        method: .post, target: "/v1/login", peer: "192.0.2.1", headers: [(.contentType, type)], body: Array("{".utf8)))
    #expect(response.status == 415 && response.code == "unsupported_media_type")
  }

  @Test(arguments: ["application/json", "Application/JSON", "application/json; charset=utf-8", " application/json ;x"])
  func `a body of JSON is read, whatever the parameters of its type`(type: String) async throws {
    let router = Router(try App.bare(), log: .off)
    let response = await router.respond(
      to: Request(
        method: .post, target: "/v1/login", peer: "192.0.2.1", headers: [(.contentType, type)], body: Array("{".utf8)))
    #expect(response.status == 400 && response.code == "malformed_body")
  }

  @Test func `two Authorization headers are refused, also where none is needed`() async throws {
    let router = Router(try App.bare(), log: .off)
    let twice: [(Header, String)] = [(.authorization, "Bearer a"), (.authorization, "Bearer a")]
    for (method, target) in [(HTTP.Method.get, "/v1/me"), (.post, "/v1/signout"), (.get, "/healthz")] {
      let response = await router.respond(
        to: Request(method: method, target: target, peer: "192.0.2.1", headers: twice))
      #expect(response.status == 400 && response.code == "conflicting_headers", "\(target)")
    }
  }

  @Test func `without its database each call says so, and what needs none is answered`() async throws {
    var limits = Pool.Limits.patient
    limits.answerMilliseconds = 100
    let nowhere = ConnectionTarget("host=/nonexistent-folder dbname=roost user=roost")
    try await TestPool.open(nowhere, limits: limits) { lent in
      let router = Router(try App.standing(on: lent.pool, lent.loop), log: .off)
      let token = "Bearer roost_\(String(repeating: "A", count: 43))"
      for endpoint in Endpoint.all {
        let path = endpoint.path.replacing("{username}", with: "ada")
          .replacing("{id}", with: "01980f1d-0b21-7e6f-b1c2-d3e4f5a6b7c8")
          .replacing("{sha256}", with: String(repeating: "a", count: 64))
        let link = String(repeating: "A", count: 43)
        let body =
          switch endpoint {
          case .register: #"{"email":"a@example.com","username":"ada","password":"an engine of brass"}"#
          case .login: #"{"login":"ada","password":"an engine of brass"}"#
          case .changePassword: #"{"currentPassword":"an engine of brass","newPassword":"an engine of steel"}"#
          case .changeEmail, .deleteAccount: #"{"email":"b@example.com","password":"an engine of brass"}"#
          case .requestPasswordReset, .remindUsername: #"{"email":"a@example.com"}"#
          case .resetPassword, .confirmEmail: #"{"token":"\#(link)","newPassword":"an engine of steel"}"#
          default: #"{"text":"x"}"#
          }
        let type = endpoint == .replaceAvatar ? "image/jpeg" : "application/json"
        let response = await router.respond(
          to: Request(
            method: HTTP.Method(rawValue: endpoint.method.rawValue)!, target: path, peer: "192.0.2.1",
            headers: [(.authorization, token), (.contentType, type)], body: Array(body.utf8)))
        switch endpoint {
        case .health, .openAPI:
          #expect(response.status == 200, "\(endpoint.name)")
        case .ready: #expect(response.status == 503 && response.code == "not_ready")
        default:
          #expect(response.status == 503 && response.code == "database_unavailable", "\(endpoint.name)")
          #expect(response.header("Retry-After") == "1")
        }
      }
    }
  }

  @Test func `a limit that is spent tells how long to wait`() async throws {
    var limits = Services.Limits.off
    limits.usernamesPerAddress = Allowance(max: 1, seconds: 60)
    try await Stage.with(limits: limits, proxies: "192.0.2.0/24") { stage in
      func ask(_ forwardedFor: String) async -> Response {
        await stage.send(.get, "/v1/usernames/ada", [(.forwardedFor, forwardedFor)])
      }
      #expect(await ask("203.0.113.1").status == 200)
      let refused = await ask("203.0.113.1")
      #expect(refused.status == 429 && refused.code == "too_many_requests")
      #expect(refused.header("Retry-After").flatMap { Int($0) }.map { (1...60).contains($0) } == true)
      #expect(await ask("203.0.113.2").status == 200, "behind the proxy everybody has an address")
      #expect(await ask("203.0.113.2, 203.0.113.1").status == 429, "what a client writes itself does not count")
    }
  }
}
