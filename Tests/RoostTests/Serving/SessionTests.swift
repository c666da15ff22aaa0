import Postgres
import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sessions live in the database alone: what happens to one there or on one node holds everywhere at once.
@Suite(.onThreads) struct SessionTests {
  @Test func `signed out on one node is dead on the other at the very next request`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    try nodes.visitor().register(person).expect(201)
    for round in 0..<10 {
      let here = try nodes.visitor(round).loggedIn(person)
      let there = nodes.visitor(round + 1).with(token: here.token)
      try there.me().expect(200)
      try there.tweet("Round \(round)").expect(201)
      try here.signOut().expect(204)
      try there.me().problem(.signedOut)
      try there.get("/v1/feed").problem(.signedOut)
      try there.tweet("Too late").problem(.signedOut)
    }
    #expect(try nodes.database.value("select count(*) from tweet") == "10")
  }

  @Test func `a log-in on one node ends the presented session on the other`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let old = try nodes.visitor(0).signedUp(person)
    let other = try nodes.visitor(1).loggedIn(person)
    let new: SignedIn = try old.logIn(person.email, person.password).expect(201).decoded()
    try nodes.visitor(1).with(token: old.token).me().problem(.signedOut)
    try nodes.visitor(1).with(token: new.session.token).me().expect(200)
    try other.me().expect(200)
    // Registering does the same.
    try nodes.visitor(1).with(token: new.session.token).register(Person("bea")).expect(201)
    try nodes.visitor(0).with(token: new.session.token).me().problem(.signedOut)
  }

  @Test func `a session ends after thirty idle days`() throws {
    let stand = try Stand()
    let session: SignedIn = try stand.visitor.register(stand.person).expect(201).decoded()
    let ada = stand.visitor.with(token: session.session.token)
    try stand.change("last_seen_at = now() - interval '29 days 23 hours', expires_at = now() + interval '2 seconds'")
    try ada.me().expect(200)
    try stand.change("expires_at = now()")
    try ada.me().problem(.signedOut)
    try ada.get("/v1/sessions").problem(.signedOut)
    try ada.tweet("Too late").problem(.signedOut)
    #expect(
      try stand.visitor.loggedIn(stand.person).get("/v1/sessions").decoded(Page<SessionDetails>.self).items.count == 1)
  }

  @Test func `use moves the end on, and is written at most once an hour`() throws {
    let stand = try Stand()
    let ada = try stand.visitor.signedUp(stand.person)
    let fresh = try stand.times()
    for _ in 0..<3 { try ada.me().expect(200) }
    #expect(try stand.times() == fresh)
    try stand.change("created_at = created_at - interval '59 minutes', last_seen_at = now() - interval '59 minutes'")
    let young = try stand.times()
    try ada.me().expect(200)
    #expect(try stand.times() == young)

    try stand.change("last_seen_at = now() - interval '2 hours', expires_at = now() + interval '29 days 22 hours'")
    try ada.me().expect(200)
    let moved = try stand.times()
    #expect(moved != young)
    let isMoved = try stand.database.value(
      """
      select last_seen_at > now() - interval '1 minute'
        and expires_at between now() + interval '29 days 23 hours 59 minutes' and now() + interval '30 days'
      from session
      """)
    #expect(isMoved == "t", "\(moved)")
    for _ in 0..<3 { try ada.me().expect(200) }
    #expect(try stand.times() == moved)
    let shown: Page<SessionDetails> = try ada.get("/v1/sessions").expect(200).decoded()
    #expect(abs(shown.items[0].lastSeenAt.timeIntervalSinceNow) < 60)
  }

  @Test func `every kind of call moves it on`() throws {
    let stand = try Stand()
    let ada = try stand.visitor.signedUp(stand.person)
    let tweet: Tweet = try ada.tweet("First").expect(201).decoded()
    let calls: [(String, (Visitor) throws -> HTTPClient.Response)] = [
      ("me", { try $0.me() }), ("feed", { try $0.get("/v1/feed") }), ("sessions", { try $0.get("/v1/sessions") }),
      ("tweet", { try $0.get("/v1/tweets/\(tweet.id)") }), ("post", { try $0.tweet("Second") }),
      ("delete", { try $0.delete("/v1/tweets/\(tweet.id)") }), ("nothing", { try $0.delete("/v1/tweets/\(tweet.id)") }),
    ]
    for (name, call) in calls {
      try stand.change("last_seen_at = now() - interval '61 minutes'")
      _ = try call(ada)
      let isSeen = try stand.database.value("select last_seen_at > now() - interval '1 minute' from session")
      #expect(isSeen == "t", "\(name)")
    }
  }

  @Test func `no use moves the end beyond a year`() throws {
    let stand = try Stand()
    let ada = try stand.visitor.signedUp(stand.person)
    try stand.change(
      """
      created_at = now() - interval '360 days', last_seen_at = now() - interval '2 hours',
      expires_at = now() + interval '1 day'
      """)
    try ada.me().expect(200)
    #expect(try stand.database.value("select expires_at = created_at + interval '365 days' from session") == "t")
    try stand.change("last_seen_at = now() - interval '2 hours'")
    try ada.me().expect(200)
    #expect(try stand.database.value("select expires_at = created_at + interval '365 days' from session") == "t")
    try stand.change(
      "created_at = created_at - interval '5 days 1 second', expires_at = expires_at - interval '5 days 1 second'")
    try ada.me().problem(.signedOut)
  }

  @Test func `the days are settings`() throws {
    let stand = try Stand(settings: ["SESSION_IDLE_DAYS": "2", "SESSION_MAX_DAYS": "3"])
    let signedIn: SignedIn = try stand.visitor.register(stand.person).expect(201).decoded()
    let seconds = signedIn.session.expiresAt.timeIntervalSince(signedIn.session.createdAt)
    #expect(abs(seconds - 2 * 86_400) < 1)
    try stand.change("created_at = now() - interval '2 days', last_seen_at = now() - interval '2 hours'")
    try stand.visitor.with(token: signedIn.session.token).me().expect(200)
    #expect(try stand.database.value("select expires_at = created_at + interval '3 days' from session") == "t")
  }

  @Test func `a new epoch ends all sessions of the account, and no other`() throws {
    let stand = try Stand()
    let ada = try stand.visitor.signedUp(stand.person)
    let phone = try stand.visitor.loggedIn(stand.person)
    let bea = try stand.visitor.signedUp(Person("bea"))
    _ = try stand.database.rows(
      "update account set session_epoch = session_epoch + 1 where username = $1", [stand.person.username])
    for visitor in [ada, phone] {
      try visitor.me().problem(.signedOut)
      try visitor.tweet("Too late").problem(.signedOut)
    }
    try bea.me().expect(200)
    let back = try stand.visitor.loggedIn(stand.person)
    #expect(try back.get("/v1/sessions").decoded(Page<SessionDetails>.self).items.map(\.current) == [true])
  }

  @Test func `a disabled account is out at once, and cannot log in`() throws {
    let stand = try Stand()
    let ada = try stand.visitor.signedUp(stand.person)
    let tweet: Tweet = try ada.tweet("Still here").expect(201).decoded()
    let bea = try stand.visitor.signedUp(Person("bea"))
    _ = try stand.database.rows("update account set disabled_at = now() where username = $1", [stand.person.username])
    try ada.me().problem(.signedOut)
    try ada.get("/v1/feed").problem(.signedOut)
    try ada.tweet("Too late").problem(.signedOut)
    try stand.visitor.logIn(stand.person.username, stand.person.password).problem(.wrongCredentials)
    try stand.visitor.logIn(stand.person.email, stand.person.password).problem(.wrongCredentials)
    try bea.get("/v1/tweets/\(tweet.id)").problem(.notFound)
    try stand.visitor.register(stand.person).problem(.taken)
    _ = try stand.database.rows("update account set disabled_at = null where username = $1", [stand.person.username])
    try ada.me().expect(200)
    try stand.visitor.loggedIn(stand.person).me().expect(200)
  }

  @Test func `a row that is deleted at psql signs the device out`() throws {
    let stand = try Stand()
    let ada = try stand.visitor.signedUp(stand.person)
    let phone = try stand.visitor.loggedIn(stand.person)
    _ = try stand.database.rows("delete from session where id = (select min(id::text)::uuid from session)")
    try ada.me().problem(.signedOut)
    try phone.me().expect(200)
  }

  @Test func `one's own sessions are listed with address and device, and nobody else's`() throws {
    let stand = try Stand(settings: ["TRUSTED_PROXIES": "127.0.0.0/8"])
    try stand.visitor.at("203.0.113.7").register(stand.person).expect(201)
    try stand.visitor.signedUp(Person("bea")).me().expect(200)
    let login = Login(login: stand.person.username, password: stand.person.password)
    let agent = String(repeating: "é", count: 200)
    let answer = try stand.visitor.at("2001:db8::1").post("/v1/login", login, headers: [("User-Agent", agent)])
    let phone: SignedIn = try answer.expect(201).decoded()
    let list = try stand.visitor.with(token: phone.session.token).get("/v1/sessions").expect(200)
    let sessions = try list.decoded(Page<SessionDetails>.self).items
    #expect(sessions.map(\.ip) == ["2001:db8::1", "203.0.113.7"])
    #expect(sessions.map(\.current) == [true, false])
    #expect(sessions[0].id == phone.session.id)
    #expect(sessions[0].userAgent == String(repeating: "é", count: 128))
    #expect(sessions[1].userAgent == nil)
    #expect(!list.text.contains("roost_"))
  }
}

/// One server, and somebody who has not registered yet.
private struct Stand {
  let database: TestDatabase
  let server: TestServer
  let visitor: Visitor
  let person = Person()

  init(settings: [String: String] = [:]) throws {
    database = try .fresh()
    server = try TestServer(database, settings: settings)
    visitor = Visitor(server)
  }

  /// Changes the one session that there is.
  func change(_ assignments: String) throws {
    _ = try database.rows("update session set \(assignments)")
  }

  func times() throws -> [[String?]] { try database.rows("select last_seen_at, expires_at from session") }
}
