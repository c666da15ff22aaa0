import RoostAPI
import TestSupport
import Testing

/// One's own data, to take away.
@Suite(.onThreads) struct ExportTests {
  @Test func `all that is held about an account is answered to its owner, as a file`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    _ = try nodes.visitor(1).loggedIn(person)
    try ada.patch(ProfileChange(fullName: .becomes("Ada \"L.\" \u{1F600}"), bio: .becomes("a\nb"))).expect(200)
    let tweet: Tweet = try ada.tweet("Mine, \\ and \u{1F468}\u{200D}\u{1F469}").expect(201).decoded()
    try nodes.visitor(1).signedUp(Person("bea")).tweet("planted").expect(201)
    let answer = try nodes.visitor(1).with(token: ada.token).get("/v1/me/export").expect(200)
    #expect(answer["Content-Disposition"] == #"attachment; filename="roost-account.json""#)
    #expect(answer["Cache-Control"] == "no-store" && answer["Content-Type"] == "application/json")
    let export: AccountExport = try answer.decoded()
    let account: Account = try ada.me().decoded()
    #expect(export.account.id == account.id && export.account.email == person.email)
    #expect(export.account.fullName == account.fullName && export.account.bio == "a\nb" && export.account.tweets == 1)
    #expect(export.account.createdAt == account.createdAt)
    #expect(export.sessions.count == 2 && export.likes.isEmpty)
    #expect(export.tweets.map(\.text) == [tweet.text] && export.tweets[0].createdAt == tweet.createdAt)
    #expect(export.events.map(\.kind) == ["profile_changed", "logged_in", "signed_up"])
    #expect(export.letters.map(\.kind) == ["email_verification"])
    for secret in ["argon2", "roost_", "planted", "secret", "digest"] { #expect(!answer.text.contains(secret)) }
    try nodes.visitor().get("/v1/me/export").problem(.signedOut)
  }

  /// Long tweets, past the limits that requests have.
  private func post(_ count: Int, by person: Person, in database: TestDatabase) throws {
    _ = try database.rows(
      """
      insert into tweet (id, author_id, text, created_at)
      select (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid, account.id, repeat('long ', 200) || n, now()
      from account, generate_series(1, $2::integer) as n where username = $1
      """, [person.username, "\(count)"])
  }

  @Test func `an export is as long as it has to be, and is not held in memory`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    try post(60_000, by: person, in: database)
    try ada.get("/v1/me/export", headers: [("Range", "bytes=0-10")]).expect(200)
    let before = server.process.residentKiB
    let answer = try ada.get("/v1/me/export").expect(200)
    #expect(answer["Transfer-Encoding"] == "chunked")
    let export: AccountExport = try answer.decoded()
    #expect(export.tweets.count == 60_000)
    #expect(Set(export.tweets.map(\.id)).count == 60_000)
    #expect(export.tweets.map(\.id) == export.tweets.map(\.id).sorted(by: >))
    if let before, let after = server.process.residentKiB {
      #expect(after - before < 10 * 1_024, "\(answer.body.count / 1_024) KiB made \(before) KiB into \(after) KiB")
    }
    #expect(try ada.send("HEAD", "/v1/me/export").expect(200)["Content-Type"] == "application/json")
  }

  @Test func `an export whose session ends meanwhile is seen to be broken off`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    try post(20_000, by: person, in: database)
    let connection = try RawConnection(server.address, receiveBytes: 4_096)
    try connection.send(
      "GET /v1/me/export HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer \(ada.token ?? "")\r\n\r\n")
    #expect(try connection.readSome().hasPrefix("HTTP/1.1 200"))
    try ada.signOut().expect(204)
    let rest = try connection.readToEnd()
    #expect(rest.count < 15_000_000, "the whole is longer")
    #expect(!rest.suffix(5).elementsEqual("0\r\n\r\n".utf8), "a body that has come to its end")
    try ada.get("/v1/me/export").problem(.signedOut)
  }

  @Test func `an account is exported so often and no more, whichever node is asked`() throws {
    let nodes = try Nodes(3, settings: ["LIMIT_EXPORT_ACCOUNT": "4/h"])
    let (ada, bea) = (try nodes.visitor().signedUp(), try nodes.visitor().signedUp(Person("bea")))
    let statuses = try atOnce(15) { index in
      try nodes.visitor(index).with(token: ada.token).get("/v1/me/export").status
    }
    #expect(statuses.counted == [200: 4, 429: 11], "\(nodes.lastWords)")
    let problem = try ada.get("/v1/me/export")
    try problem.problem(.tooManyRequests)
    #expect((3_500...3_600).contains(Int(problem["Retry-After"] ?? "") ?? 0))
    try bea.get("/v1/me/export").expect(200)
    try ada.me().expect(200)
  }
}
