import HTTP
import Secrets
import Testing

@testable import Routes

@Suite struct SessionCookieTests {
  let token = SessionToken()

  @Test func `on http the cookie is out of reach of scripts and of other sites`() {
    let cookie = SessionCookie(PublicURL("http://127.0.0.1:8080"))
    #expect(cookie.set(token, maxSeconds: 60).name == "Set-Cookie")
    #expect(
      cookie.set(token, maxSeconds: 60).value
        == "roost_session=\(token.text); Max-Age=60; Path=/; HttpOnly; SameSite=Lax")
    #expect(cookie.removal().value == "roost_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax")
  }

  @Test(arguments: ["https://roost.example", "https://roost.example/"])
  func `on https it is tied to this host and never sent in clear`(url: String) {
    let cookie = SessionCookie(PublicURL(url))
    #expect(
      cookie.set(token, maxSeconds: 2_592_000).value
        == "__Host-roost_session=\(token.text); Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure")
    #expect(cookie.removal().value == "__Host-roost_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure")
    #expect(!cookie.removal().value.contains("Domain"))
  }

  @Test func `what is set is found again`() throws {
    for url in ["http://roost.example", "https://roost.example"] {
      let cookie = SessionCookie(PublicURL(url))
      let pair = try #require(cookie.set(token, maxSeconds: 60).value.split(separator: ";").first)
      let request = Request(method: .get, target: "/", peer: "192.0.2.1", headers: [(.cookie, String(pair))])
      #expect(cookie.token(in: request) == token.text)
      let removed = try #require(cookie.removal().value.split(separator: ";").first)
      let after = Request(method: .get, target: "/", peer: "192.0.2.1", headers: [(.cookie, String(removed))])
      #expect(cookie.token(in: after) == nil)
    }
  }
}
