import HTTP
import Secrets
import Services
import Testing
import Values

@testable import Routes

@Suite struct OriginTests {
  static let token = SessionToken()
  static let other = SessionToken()

  func request(_ headers: [(Header, String)], _ method: HTTP.Method = .get, peer: String = "192.0.2.1") -> Request {
    Request(method: method, target: "/v1/me", peer: peer, headers: headers)
  }

  func origin(
    _ headers: [(Header, String)], peer: String = "192.0.2.1", publicURL: String = "http://127.0.0.1:8080",
    proxies: String = ""
  ) throws -> Origin {
    Origin(request(headers, peer: peer), try App.bare(publicURL: publicURL, proxies: proxies))
  }

  // MARK: Bearer tokens

  @Test(arguments: ["Bearer \(token.text)", "bearer \(token.text)", "BEARER \(token.text)", "Bearer   \(token.text)"])
  func `a bearer token is read, whatever the case of its scheme`(value: String) throws {
    let origin = try origin([(.authorization, value)])
    #expect(origin.client.token == Self.token.digest)
    #expect(origin.isTokenPresented && origin.conflict == nil)
  }

  @Test(arguments: [
    "", "Bearer", "Bearer ", "Basic \(token.text)", "Bearer\(token.text)", "Bearer \(token.text) ", token.text,
    "Bearer \(token.text)x", "Bearer \(token.text.dropLast())", "Bearer ROOST_\(token.text.dropFirst(6))",
    "Bearer \"\(token.text)\"", "Bearer \(token.text), Bearer \(token.text)", "Bearer\t\(token.text)", "Bearer roost_",
    " Bearer \(token.text)",
  ])
  func `anything else is a token that is not good`(value: String) throws {
    let origin = try origin([(.authorization, value)])
    #expect(origin.client.token == nil)
    #expect(origin.isTokenPresented && origin.conflict == nil)
  }

  @Test func `two tokens contradict each other, and none of them counts`() throws {
    for second in [Self.token, Self.other] {
      let origin = try origin([
        (.authorization, "Bearer \(Self.token.text)"), (.authorization, "Bearer \(second.text)"),
      ])
      #expect(origin.conflict != nil && origin.client.token == nil)
    }
  }

  // MARK: Cookies

  @Test(arguments: [
    "roost_session=\(token.text)", "a=b; roost_session=\(token.text); c=d", "roost_session=\(token.text);x",
    "a; roost_session = \(token.text) ", "__Host-roost_session=x;roost_session=\(token.text)",
  ])
  func `the cookie is found among others`(value: String) throws {
    let origin = try origin([(.cookie, value)])
    #expect(origin.client.token == Self.token.digest && origin.isTokenPresented)
  }

  @Test func `the cookie may stand in any of several headers, and the first one counts`() throws {
    let origin = try origin([
      (.cookie, "a=b"), (.cookie, "roost_session=\(Self.token.text)"), (.cookie, "roost_session=\(Self.other.text)"),
    ])
    #expect(origin.client.token == Self.token.digest)
  }

  @Test(arguments: [
    "", "roost_session", "Roost_Session=\(token.text)", "xroost_session=\(token.text)",
    "__Host-roost_session=\(token.text)",
  ])
  func `a cookie of another name is none`(value: String) throws {
    let origin = try origin([(.cookie, value)])
    #expect(origin.client.token == nil && !origin.isTokenPresented)
  }

  @Test func `on https the cookie has the prefix that ties it to this host`() throws {
    let secure = "https://roost.example"
    let plain = try origin([(.cookie, "roost_session=\(Self.token.text)")], publicURL: secure)
    #expect(plain.client.token == nil && !plain.isTokenPresented)
    let prefixed = try origin([(.cookie, "__Host-roost_session=\(Self.token.text)")], publicURL: secure)
    #expect(prefixed.client.token == Self.token.digest)
  }

  @Test(arguments: ["Bearer \(other.text)", "Bearer nonsense", "Basic YTpi"])
  func `with a header beside it the cookie is ignored`(authorization: String) throws {
    let origin = try origin([(.authorization, authorization), (.cookie, "roost_session=\(Self.token.text)")])
    #expect(origin.client.token != Self.token.digest && origin.isTokenPresented)
    #expect(!origin.isCrossSite(request([], .post)), "then no browser sent it by itself")
  }

  // MARK: Pages of other sites

  @Test(arguments: [
    ([(Header.secFetchSite, "same-origin")], false), ([(.secFetchSite, "same-site")], true),
    ([(.secFetchSite, "cross-site")], true), ([(.secFetchSite, "none")], true),
    ([(.secFetchSite, "same-origin"), (.origin, "https://evil.example")], false),
    ([(.secFetchSite, "cross-site"), (.origin, "http://127.0.0.1:8080")], true),
    ([(.origin, "http://127.0.0.1:8080")], false), ([(.origin, "http://127.0.0.1:8080/")], true),
    ([(.origin, "http://127.0.0.1")], true), ([(.origin, "https://127.0.0.1:8080")], true),
    ([(.origin, "https://evil.example")], true), ([(.origin, "null")], true), ([(.origin, "")], true), ([], true),
  ])
  func `a change by cookie must come from this site`(headers: [(Header, String)], isCrossSite: Bool) throws {
    let byCookie = try origin([(.cookie, "roost_session=\(Self.token.text)")])
    for method in [HTTP.Method.post, .put, .patch, .delete, .options, .other] {
      #expect(byCookie.isCrossSite(request(headers, method)) == isCrossSite, "\(method)")
    }
    for method in [HTTP.Method.get, .head] { #expect(!byCookie.isCrossSite(request(headers, method)), "\(method)") }
    let byToken = try origin([(.authorization, "Bearer \(Self.token.text)")])
    #expect(!byToken.isCrossSite(request(headers, .post)))
    #expect(try !origin([]).isCrossSite(request(headers, .post)))
  }

  @Test func `a cookie whose token is not good is no way around it`() throws {
    let byCookie = try origin([(.cookie, "roost_session=nonsense")])
    #expect(byCookie.isCrossSite(request([], .post)))
  }

  // MARK: Addresses

  @Test(
    arguments: [
      ("", "192.0.2.1", [], "192.0.2.1"), ("", "192.0.2.1", ["203.0.113.9"], "192.0.2.1"),
      ("10.0.0.0/8", "192.0.2.1", ["203.0.113.9"], "192.0.2.1"), ("10.0.0.0/8", "10.0.0.1", [], "10.0.0.1"),
      ("10.0.0.0/8", "10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
      ("10.0.0.0/8", "10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
      ("10.0.0.0/8", "10.0.0.1", ["198.51.100.1", "203.0.113.9, 10.1.2.3"], "203.0.113.9"),
      ("10.0.0.0/8", "10.0.0.1", ["nonsense, 10.1.2.3"], "10.1.2.3"),
      ("fd00::/8", "fd00::1", ["2001:db8::7"], "2001:db8::7"),
      ("10.0.0.0/8", "::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"), ("0.0.0.0/0", "unknown", [], "0.0.0.0"),
    ] as [(String, String, [String], String)])
  func `the client is the right-most hop that no trusted proxy is`(
    proxies: String, peer: String, forwarded: [String], expected: String
  ) throws {
    let origin = try origin(forwarded.map { (.forwardedFor, $0) }, peer: peer, proxies: proxies)
    #expect(origin.client.address.description == expected)
  }

  @Test func `the client says what it is`() throws {
    #expect(try origin([(.userAgent, "curl/8")]).client.userAgent == "curl/8")
    #expect(try origin([]).client.userAgent == nil)
  }
}
