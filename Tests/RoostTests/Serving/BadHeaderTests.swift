import RoostAPI
import TestSupport
import Testing

/// Header fields and targets that no honest client sends.
@Suite(.onThreads) struct BadHeaderTests {
  @Test func `only a token in form, once, as a bearer token, opens a session`() throws {
    let server = try TestServer(.fresh())
    let ada = try Visitor(server).signedUp()
    let token = try #require(ada.token)
    let bare = ada.with(token: nil)
    for good in ["Bearer \(token)", "bearer \(token)", "BEARER \(token)", "Bearer   \(token)"] {
      try bare.get("/v1/me", headers: [("Authorization", good)]).expect(200)
    }
    let body = String(token.dropFirst("roost_".count))
    for bad in [
      token, "Basic \(token)", "Token \(token)", "Bearer", "Bearer ", "Bearer\(token)", "Bearer: \(token)",
      "Bearer \(token)x",
      "Bearer \(token.dropLast())", "Bearer \(token) \(token)", "Bearer \(token),\(token)", "Bearer \"\(token)\"",
      "Bearer \(body)",
      "Bearer Roost_\(body)", "Bearer roost-\(body)", "Bearer roost_\(body.dropLast())=",
      "Bearer roost_\(body.dropLast())+",
      "Bearer roost_\(body.dropLast())é", "Bearer roost_\(String(repeating: "A", count: 10_000))", "Bearer null", "é",
      "Bearer roost_" + String(body.map { $0.isLowercase ? Character($0.uppercased()) : Character($0.lowercased()) }),
    ] {
      let answer = try bare.get("/v1/me", headers: [("Authorization", bad)])
      try answer.problem(.signedOut)
      #expect(answer["WWW-Authenticate"] == #"Bearer error="invalid_token""#, "\(bad)")
      try bare.send("POST", "/v1/signout", headers: [("Authorization", bad)]).expect(204)
    }
    // The last character holds two bits that count for nothing: only their one form is a token.
    for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" where last != token.last {
      try bare.with(token: token.dropLast() + String(last)).me().problem(.signedOut)
    }
    try ada.me().expect(200)
  }

  @Test func `two Authorization headers are refused, also when they are equal`() throws {
    let server = try TestServer(.fresh())
    let ada = try Visitor(server).signedUp()
    for (method, target) in [
      ("GET", "/v1/me"), ("GET", "/v1/feed"), ("POST", "/v1/signout"), ("POST", "/v1/login"), ("GET", "/healthz"),
    ] {
      for other in ["Bearer \(ada.token!)", "Basic YTpi", ""] {
        try ada.send(method, target, headers: [("authorization", other)]).problem(.conflictingHeaders)
      }
    }
    try ada.me().expect(200)
  }

  @Test func `an Idempotency-Key is printable, and 255 characters at most`() throws {
    let server = try TestServer(.fresh())
    let ada = try Visitor(server).signedUp()
    for key in ["a", "a b", "~", String(repeating: "k", count: 255)] {
      let first: Tweet = try ada.tweet("Again", key: key).expect(201).decoded()
      #expect(try ada.tweet("Again", key: key).expect(201).decoded() == first)
    }
    for key in ["", String(repeating: "k", count: 256), "é", "a\tb", String(repeating: "k", count: 5_000)] {
      #expect(try ada.tweet("Again", key: key).problem(.invalidFields).errors?.map(\.field) == ["Idempotency-Key"])
    }
    #expect(try ada.me().decoded(Account.self).tweets == 4)
    // A key is its owner's: another account may use the same.
    try Visitor(server).signedUp(Person("bea")).tweet("Mine", key: "a").expect(201)
  }

  @Test func `headers of any other content do no harm`() throws {
    let server = try TestServer(.fresh(), settings: ["TRUSTED_PROXIES": "127.0.0.0/8"])
    let person = Person()
    try Visitor(server).register(person).expect(201)
    for value in [
      "", " ", ",", ",,,", "nonsense", "1.2.3.4.5", "999.1.1.1", "::", "::ffff:1.2.3.4", "[2001:db8::1]",
      "2001:db8::1%eth0", "1.2.3.4:80",
      "unknown", "_hidden", "é", String(repeating: "1.2.3.4, ", count: 200), "-1", "0.0.0.0", "127.0.0.1", "\u{1}",
      "'\"\\",
    ] {
      let login = Login(login: person.username, password: person.password)
      for header in ["X-Forwarded-For", "User-Agent", "X-Forwarded-Proto", "Cookie", "Origin", "Accept-Language"] {
        let answer = try Visitor(server).post("/v1/login", login, headers: [(header, value)])
        #expect([201, 400].contains(answer.status), "\(header): \(value): \(answer)")
      }
    }
    let ada = try Visitor(server).loggedIn(person)
    try ada.get("/v1/sessions").expect(200)
    #expect(!server.log.contains(#""status":5"#))
  }

  @Test func `targets of any form are answered`() throws {
    let server = try TestServer(.fresh())
    let visitor = Visitor(server)
    for target in [
      "/%", "/%0", "/%zz", "/%00", "/%ff%fe", "/v1/usernames/%00", "/v1/usernames/a%2Fb", "/v1/usernames/%2e%2e",
      "/v1/usernames/%E2%82",
      "/v1/usernames/" + String(repeating: "a", count: 8_000), "/" + String(repeating: "a/", count: 4_000),
      "/v1/me;x=y", "/v1/me#x",
      "/?" + String(repeating: "a=b&", count: 200), "/?" + String(repeating: "a", count: 8_000),
      "/v1/feed?limit=1&&&&=", "/'\"<>\\^`{|}", "/é", "/v1/usernames/é", "*", "v1/me", "?",
      "http://127.0.0.1/v1/me", "HTTP://evil.example/healthz", "127.0.0.1:80", "//evil.example/healthz",
      "/healthz?x=%00",
    ] {
      let answer = try visitor.send("GET", target, isAlone: true)
      #expect(answer.status < 500, "\(target.prefix(100)): \(answer)")
    }
    try visitor.get("/healthz").expect(200)
  }
}
