import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The main story, told from outside: a black box that needs an address and nothing else.
@Suite(.onThreads) struct StoryTests {
  let stage: StoryStage

  init() throws { stage = try StoryStage.shared.get() }

  @Test func `somebody registers, posts, reads the home feed, logs in elsewhere and signs out`() throws {
    let person = Person("ada")
    let visitor = stage.visitor

    // A free name.
    let free: UsernameAvailability = try visitor.get("/v1/usernames/\(person.username.inMixedCase)").expect(200)
      .decoded()
    #expect(free.username == person.username)
    #expect(free.available && free.reason == nil)

    // Registered in mixed case, folded.
    var typed = person
    typed.username = person.username.inMixedCase
    typed.email = person.email.inMixedCase
    let registered = try visitor.register(typed).expect(201)
    #expect(registered["Content-Type"] == "application/json")
    #expect(registered["Cache-Control"] == "no-store")
    #expect(!registered.text.contains(person.password))
    let signedIn: SignedIn = try registered.decoded()
    #expect(signedIn.user.username == person.username)
    #expect(signedIn.user.email == typed.email, "mail goes to the address as it was typed")
    #expect(!signedIn.user.emailVerified)
    #expect(signedIn.user.fullName == nil && signedIn.user.tweets == 0)
    let token = try #require(signedIn.session.token)
    #expect(token.wholeMatch(of: #/roost_[A-Za-z0-9_-]{43}/#) != nil)
    let days = signedIn.session.expiresAt.timeIntervalSince(signedIn.session.createdAt) / 86_400
    #expect((29.99...30.01).contains(days))

    // Either name is taken now, in any case.
    let taken: UsernameAvailability = try visitor.get("/v1/usernames/\(person.username.uppercased())").expect(200)
      .decoded()
    #expect(!taken.available && taken.reason == .taken)
    var other = Person("eve")
    other.username = person.username.uppercased()
    #expect(try visitor.register(other).problem(.taken).errors?.map(\.field) == ["username"])
    other = Person("eve")
    other.email = person.email.uppercased()
    let conflict = try visitor.register(other).problem(.taken)
    #expect(conflict.errors?.map(\.field) == ["email"])
    #expect(conflict.errors?.first?.knownCode == .taken)

    // Who am I?
    let ada = visitor.with(token: token)
    let me: Account = try ada.me().expect(200).decoded()
    #expect(me == signedIn.user)

    try tellOfTweets(ada, signedIn.user)
    try tellOfSessions(person, typed, ada, signedIn)
  }

  private func tellOfTweets(_ ada: Visitor, _ account: Account) throws {
    let empty: Page<Tweet> = try ada.get("/v1/feed").expect(200).decoded()
    #expect(empty.items.isEmpty && empty.next == nil)

    let posted = try ada.tweet("  Grüße, 👩‍👩‍👧‍👦!\n").expect(201)
    let first: Tweet = try posted.decoded()
    #expect(posted["Location"] == "/v1/tweets/\(first.id)")
    #expect(first.text == "Grüße, 👩‍👩‍👧‍👦!")
    #expect(first.likes == 0 && !first.likedByMe)
    #expect(first.author.id == account.id && first.author.username == account.username)
    #expect(try ada.get("/v1/tweets/\(first.id)").expect(200).decoded() == first)
    #expect(try ada.me().decoded(Account.self).tweets == 1)

    // The same key and text give the same tweet, another text is refused.
    let key = "key-\(first.id)"
    let once: Tweet = try ada.tweet("Only once", key: key).expect(201).decoded()
    #expect(try ada.tweet("Only once", key: key).expect(201).decoded() == once)
    try ada.tweet("Something else", key: key).problem(.idempotencyKeyReused)

    var written = [once, first]
    for number in 1...5 { written.insert(try ada.tweet("Number \(number)").expect(201).decoded(), at: 0) }
    try readPages(ada, written)

    // Deleted, once and for all.
    let deleted = try ada.delete("/v1/tweets/\(once.id)").expect(204)
    #expect(deleted.body.isEmpty && deleted["Content-Type"] == nil)
    try ada.delete("/v1/tweets/\(once.id)").problem(.notFound)
    try ada.get("/v1/tweets/\(once.id)").problem(.notFound)
    written.removeAll { $0 == once }
    #expect(try ada.get("/v1/feed").expect(200).decoded(Page<Tweet>.self).items == written)
    #expect(try ada.me().decoded(Account.self).tweets == written.count)

    // Nobody else's business.
    let resident = try stage.visitor.loggedIn(stage.resident)
    #expect(try resident.get("/v1/tweets/\(first.id)").expect(200).decoded(Tweet.self) == first)
    try resident.delete("/v1/tweets/\(first.id)").problem(.notFound)
    try ada.get("/v1/tweets/\(first.id)").expect(200)
    try resident.signOut().expect(204)
  }

  /// Newest first, page after page, nothing twice and nothing skipped.
  private func readPages(_ ada: Visitor, _ written: [Tweet]) throws {
    var read: [Tweet] = []
    var target = "/v1/feed?limit=3"
    for _ in 0..<written.count {
      let answer = try ada.get(target).expect(200)
      let page: Page<Tweet> = try answer.decoded()
      read += page.items
      guard let next = page.next else {
        #expect(answer["Link"] == nil)
        break
      }
      #expect(page.items.count == 3)
      #expect(next == page.items.last?.id)
      target = "/v1/feed?limit=3&before=\(next)"
      #expect(answer["Link"] == "<\(target)>; rel=\"next\"")
    }
    #expect(read == written)
    #expect(try ada.get("/v1/feed").expect(200).decoded(Page<Tweet>.self).items == written)
  }

  private func tellOfSessions(_ person: Person, _ typed: Person, _ ada: Visitor, _ registered: SignedIn) throws {
    // Log-ins by either name, in any case, from other devices.
    for login in [person.email, typed.email, person.username, typed.username] {
      let answer = try ada.with(token: nil).post(
        "/v1/login", Login(login: login, password: person.password), headers: [("User-Agent", "Phone/1")])
      let signedIn: SignedIn = try answer.expect(201).decoded()
      #expect(signedIn.user.id == registered.user.id)
    }
    let list: Page<SessionDetails> = try ada.get("/v1/sessions").expect(200).decoded()
    #expect(list.items.count == 5 && list.next == nil)
    #expect(list.items.filter(\.current).map(\.id) == [registered.session.id])
    #expect(list.items.filter { $0.userAgent == "Phone/1" }.count == 4)
    #expect(list.items.allSatisfy { $0.ip?.isEmpty == false })

    // A log-in ends the session that was presented with it.
    let again: SignedIn = try ada.logIn(person.username, person.password).expect(201).decoded()
    #expect(again.session.token != ada.token)
    try ada.me().problem(.signedOut)
    let now = ada.with(token: again.session.token)
    #expect(try now.get("/v1/sessions").decoded(Page<SessionDetails>.self).items.count == 5)

    // A wrong password ends nothing.
    try now.logIn(person.username, person.password + "x").problem(.wrongCredentials)
    try now.me().expect(200)

    // Signed out: dead for the next request; a second time, and with a token that never lived, all the same.
    let signedOut = try now.signOut().expect(204)
    #expect(signedOut.body.isEmpty)
    try now.me().problem(.signedOut)
    try now.get("/v1/feed").problem(.signedOut)
    try now.tweet("Too late").problem(.signedOut)
    try now.signOut().expect(204)
    try now.with(token: "roost_" + String(repeating: "A", count: 43)).signOut().expect(204)
    try now.with(token: "nonsense").signOut().expect(204)
    try now.with(token: nil).signOut().expect(204)
  }

  @Test func `without a session each call that needs one is 401 and says how to authenticate`() throws {
    for endpoint in Endpoint.all where endpoint.needsSession {
      let target = endpoint.path.replacing("{id}", with: "019ad4c5-7d3a-7000-8000-000000000001")
      let body = endpoint.method == .get ? nil : Array(Self.anyBody.utf8)
      let type = [("Content-Type", endpoint == .replaceAvatar ? "image/png" : "application/json")]
      let bare = try stage.visitor.send(endpoint.method.rawValue, target, headers: type, body: body)
      try bare.problem(.signedOut)
      #expect(bare["WWW-Authenticate"] == "Bearer")
      let dead = stage.visitor.with(token: "roost_" + String(repeating: "b", count: 43))
      let refused = try dead.send(endpoint.method.rawValue, target, headers: type, body: body)
      try refused.problem(.signedOut)
      #expect(refused["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
    }
  }

  @Test func `the request's id is the client's when it is in form, else a new one`() throws {
    for id in ["a", "Abc-1.2_3", String(repeating: "x", count: 128)] {
      #expect(try stage.visitor.get("/healthz", headers: [("X-Request-ID", id)])["X-Request-ID"] == id)
      let problem = try stage.visitor.get("/v1/me", headers: [("X-Request-ID", id)]).problem(.signedOut)
      #expect(problem.requestId == id)
    }
    var made: Set<String> = []
    for id in ["", "a b", "a\u{e9}", "<script>", String(repeating: "x", count: 129)] {
      let answer = try stage.visitor.get("/healthz", headers: [("X-Request-ID", id)]).expect(200)
      let own = try #require(answer["X-Request-ID"])
      #expect(own.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
      made.insert(own)
    }
    #expect(made.count == 5)
  }

  @Test func `HEAD is answered as GET is, without the body`() throws {
    let resident = try stage.visitor.loggedIn(stage.resident)
    // What the resident has changes beside this test, but not the form of it.
    for (target, isStable) in [
      ("/", true), ("/healthz", true), ("/readyz", true), ("/openapi.json", true), ("/v1/usernames/adam", true),
      ("/v1/me", false), ("/v1/feed", false), ("/v1/sessions", false),
    ] {
      let got = try resident.get(target).expect(200)
      let head = try resident.send("HEAD", target).expect(200)
      #expect(head.body.isEmpty)
      #expect(head["Content-Type"] == got["Content-Type"])
      let length = try #require(head["Content-Length"].flatMap { Int($0) })
      #expect(isStable ? length == got.body.count : length > 0, "\(target)")
    }
    let refused = try stage.visitor.send("HEAD", "/v1/me")
    #expect(refused.status == 401 && refused.body.isEmpty)
  }

  /// The fields of every call that needs a session.
  private static let anyBody =
    #"{"text":"x","currentPassword":"x","newPassword":"a loom of algebra","password":"x","email":"a@example.com"}"#

  @Test func `a path that takes other methods says which`() throws {
    for (method, target, allow) in [
      ("GET", "/v1/register", "POST"), ("HEAD", "/v1/login", "POST"), ("PUT", "/v1/signout", "POST"),
      ("POST", "/v1/me", "DELETE, GET, HEAD, PATCH"), ("POST", "/v1/feed", "GET, HEAD"),
      ("PATCH", "/v1/tweets", "POST"),
      ("PUT", "/v1/tweets/1", "DELETE, GET, HEAD"), ("POST", "/", "GET, HEAD"), ("BREW", "/healthz", "GET, HEAD"),
      ("OPTIONS", "/v1/usernames/ada", "GET, HEAD"), ("TRACE", "/v1/sessions", "DELETE, GET, HEAD"),
    ] {
      let answer = try stage.visitor.send(method, target, isAlone: true)
      if method == "HEAD" {
        #expect(answer.status == 405)
      } else {
        try answer.problem(.methodNotAllowed)
      }
      #expect(answer["Allow"] == allow, "\(method) \(target)")
    }
  }

  @Test(arguments: [
    "/v1", "/v1/", "/v2/me", "/v1/me/", "//v1/me", "/v1/Me", "/v1/usernames/", "/v1/usernames/a/b", "/favicon.ico",
    "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/openapi.json/x",
  ])
  func `there is nothing at any other path`(target: String) throws {
    try stage.visitor.get(target).problem(.notFound)
  }

  @Test(arguments: ["/v1/tweets/%00", "/v1/usernames/%ff", "/v1/usernames/%zz"])
  func `a path that cannot be decoded is malformed`(target: String) throws {
    try stage.visitor.get(target).problem(.malformedRequest)
  }

  @Test func `a tweet that is none, in whatever form, is not found`() throws {
    let resident = try stage.visitor.loggedIn(stage.resident)
    for id in [
      "019ad4c5-7d3a-7000-8000-000000000001", "1", "019AD4C5", "ada", "%27%20or%201=1",
      "00000000-0000-0000-0000-000000000000",
    ] {
      try resident.get("/v1/tweets/\(id)").problem(.notFound)
      try resident.delete("/v1/tweets/\(id)").problem(.notFound)
    }
  }

  @Test func `availability says what registering would say`() throws {
    for (name, reason) in [
      ("admin", UsernameAvailability.Reason.reserved), ("ADMIN", .reserved), ("ab", .malformed), ("a..b", .malformed),
      ("ada.", .malformed), ("_ada", .malformed), ("%C3%A9ve", .malformed), ("a%20b", .malformed),
      (String(repeating: "a", count: 31), .malformed),
    ] {
      let answer: UsernameAvailability = try stage.visitor.get("/v1/usernames/\(name)").expect(200).decoded()
      #expect(!answer.available && answer.reason == reason, "\(name)")
    }
  }

  @Test func `all wrong fields are named at once`() throws {
    let nothing = try stage.visitor.post("/v1/register", json: "{}").problem(.invalidFields)
    #expect(
      nothing.errors?.map { "\($0.field) \($0.code)" } == ["username missing", "email missing", "password missing"])
    let nulls = try stage.visitor.post(
      "/v1/register", json: #"{"email":null,"username":null,"password":null,"fullName":null}"#
    ).problem(.invalidFields)
    #expect(nulls.errors == nothing.errors)
    let wrong = try stage.visitor.post(
      "/v1/register", json: #"{"email":"ada","username":"a","password":"short","fullName":"a\u202eb"}"#
    ).problem(.invalidFields)
    #expect(
      wrong.errors?.map { "\($0.field) \($0.code)" }
        == ["username too_short", "email malformed", "password too_short", "fullName forbidden_character"])
    let login = try stage.visitor.post("/v1/login", json: "{}").problem(.invalidFields)
    #expect(login.errors?.map { "\($0.field) \($0.code)" } == ["login missing", "password missing"])
    let resident = try stage.visitor.loggedIn(stage.resident)
    for text in [#""""#, #""  \n ""#, "null"] {
      let tweet = try resident.post("/v1/tweets", json: #"{"text":\#(text)}"#).problem(.invalidFields)
      #expect(tweet.errors?.map(\.field) == ["text"])
    }
    let long = try resident.tweet(String(repeating: "a", count: 281)).problem(.invalidFields)
    #expect(long.errors?.map { "\($0.field) \($0.code)" } == ["text too_long"])
  }

  @Test func `a query out of its form or range is refused`() throws {
    let resident = try stage.visitor.loggedIn(stage.resident)
    for query in [
      "limit=0", "limit=101", "limit=-1", "limit=abc", "limit=", "limit=1e1", "limit=%2B1",
      "limit=99999999999999999999",
      "before=x", "before=", "limit=1&limit=1", "limit=%ff", "before=%00", "limit=%",
    ] {
      try resident.get("/v1/feed?\(query)").problem(.malformedQuery)
    }
    try resident.get("/v1/feed?limit=100&other=1").expect(200)
  }

  @Test func `a body that is not JSON, or too much of it, is refused`() throws {
    let body = Array(#"{"text":"x"}"#.utf8)
    let resident = try stage.visitor.loggedIn(stage.resident)
    for type in [
      nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data", "",
    ] {
      let headers = type.map { [("Content-Type", $0)] } ?? []
      try resident.send("POST", "/v1/tweets", headers: headers, body: body).problem(.unsupportedMediaType)
    }
    for type in ["application/json; charset=utf-8", "Application/JSON", "application/json;x=y"] {
      let answer = try resident.send("POST", "/v1/tweets", headers: [("Content-Type", type)], body: body).expect(201)
      try resident.delete("/v1/tweets/\(answer.decoded(Tweet.self).id)").expect(204)
    }
    for text in ["", "{", "[]", "null", #""text""#, "{}{}", "{'text':'x'}", #"{"text":x}"#, "\u{feff}{}"] {
      try resident.post("/v1/tweets", json: text).problem(.malformedBody)
    }
    for bytes in [64 * 1_024 + 1, 1_024 * 1_024] {
      let big = Array(#"{"text":""#.utf8) + [UInt8](repeating: 0x61, count: bytes - 11) + Array(#""}"#.utf8)
      try resident.post("/v1/tweets", json: big).problem(.bodyTooLarge)
    }
  }

  @Test func `the contract and the page of all calls are served`() throws {
    let contract = try stage.visitor.get("/openapi.json").expect(200)
    #expect(contract["Content-Type"] == "application/json")
    #expect(contract.text.contains(#""openapi": "3.1"#) || contract.text.contains(#""openapi":"3.1"#))
    for endpoint in Endpoint.all { #expect(contract.text.contains("\"\(endpoint.path)\"")) }
    let page = try stage.visitor.get("/api").expect(200)
    #expect(page["Content-Type"] == "text/html; charset=utf-8")
    #expect(page["X-Content-Type-Options"] == "nosniff")
    #expect(page["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    #expect(page.text.contains("Roost"))
    #expect(try stage.visitor.get("/healthz").expect(200).decoded(Health.self).status == .ok)
    #expect(try stage.visitor.get("/readyz").expect(200).decoded(Health.self).status == .ok)
  }
}
