import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite(.onThreads, .timeLimit(.minutes(10))) struct CourierTests {
  /// Waits until a question to the database is answered so.
  private func wait(_ database: TestDatabase, _ sql: String, is answer: String) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline, try database.value(sql) != answer { usleep(20_000) }
    #expect(try database.value(sql) == answer, "\(sql)")
  }

  @Test func `two nodes send each letter once, and keep no secret of it`() throws {
    let box = try Mailbox(settings: ["LIMIT_REGISTER_ADDRESS": "0"])
    let other = try Mailbox.server(box.database, box.mail, settings: ["LIMIT_REGISTER_ADDRESS": "0"])
    let clients = [box.server.client(), other.client()]
    let people = (0..<40).map { _ in Person() }
    _ = try atOnce(8) { lane in
      for index in stride(from: lane, to: people.count, by: 8) {
        try Visitor(clients[index % 2]).register(people[index]).expect(201)
      }
    }
    try wait(box.database, "select count(*) from outbox where sent_at is not null", is: "40")
    let messages = box.mail.messages
    #expect(messages.count == 40)
    #expect(Set(messages.map { $0.all("Message-ID") }).count == 40)
    #expect(Set(messages.flatMap(\.to)) == Set(people.map(\.email)))
    #expect(try box.database.value("select count(*) from outbox where secret is not null or attempts <> 1") == "0")
    let log = box.server.log + other.log
    for message in messages { #expect(!log.contains(try #require(message.token))) }
    #expect(log.contains("letter_sent") && !log.contains("@example.com"))
  }

  @Test func `a letter whose node is killed while it sends is sent later`() throws {
    let box = try Mailbox()
    let person = Person("stallonce")
    try box.visitor.register(person).expect(201)
    #expect(box.mail.wait { $0.stalling.contains(person.email) })
    box.server.kill()
    #expect(try box.database.value("select count(*) from outbox where sent_at is null and secret is not null") == "1")
    let next = try Mailbox.server(box.database, box.mail)
    #expect(box.mail.messages(to: person.email, withinSeconds: 6).isEmpty, "it is leased")
    // The lease ends.
    _ = try box.database.rows("update outbox set next_attempt_at = now()")
    #expect(box.mail.messages(to: person.email).count == 1)
    try wait(box.database, "select count(*) from outbox where sent_at is not null and secret is null", is: "1")
    #expect(next.process.ending == nil)
  }

  @Test func `what is put off is tried again, and what is refused is given up`() throws {
    let box = try Mailbox()
    let (later, refused) = (Person("later"), Person("refuse"))
    try box.visitor.register(later).expect(201)
    try box.visitor.register(refused).expect(201)
    try wait(
      box.database, "select last_error from outbox where recipient like 'later%'", is: "the mail server answered 451")
    let seconds = try box.database.value(
      "select extract(epoch from next_attempt_at - now())::int from outbox where recipient like 'later%'")
    #expect((1...19).contains(Int(seconds ?? "") ?? 0))
    try wait(
      box.database,
      "select given_up_at is not null and secret is null and last_error = 'the mail server answered 550' from outbox "
        + "where recipient like 'refuse%'", is: "t")
    #expect(box.server.log.contains("letter_given_up") && box.server.log.contains("letter_not_sent"))
    _ = try box.database.rows("update outbox set next_attempt_at = now() where recipient like 'later%'")
    #expect(box.mail.messages(to: later.email).count == 1)
    #expect(box.mail.tried.count { $0 == refused.email } == 1)
  }

  @Test func `a letter that could not be sent for a day is given up`() throws {
    let box = try Mailbox(settings: ["MAIL_URL": "smtp://127.0.0.1:1"])
    try box.visitor.register(Person()).expect(201)
    try wait(box.database, "select attempts from outbox where last_error is not null", is: "1")
    _ = try box.database.rows("update outbox set created_at = now() - interval '1 day', next_attempt_at = now()")
    try wait(box.database, "select count(*) from outbox where given_up_at is not null and secret is null", is: "1")
    #expect(box.mail.messages.isEmpty)
  }

  @Test func `without a mail server letters wait, and the server says so`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    #expect(server.log.contains("mail_waits"))
    try Visitor(server).register(Person()).expect(201)
    #expect(try database.value("select attempts from outbox") == "0")
    #expect(!server.log.contains("token="))
  }

  @Test(arguments: [["LOG_FORMAT": "text"], ["MAIL_URL": "log:"]])
  func `who develops finds letters in the log, links and all`(settings: [String: String]) throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database, settings: settings)
    let visitor = Visitor(server)
    let person = Person()
    try visitor.register(person).expect(201)
    try wait(database, "select count(*) from outbox where sent_at is not null and secret is null", is: "1")
    #expect(server.log.contains("mail_is_logged"))
    let log = server.log
    let start = try #require(log.firstRange(of: "/verify#token="))
    try visitor.confirmEmail(String(log[start.upperBound...].prefix(43))).expect(200)
  }

  @Test func `links are built from PUBLIC_URL, never from the request`() throws {
    let box = try Mailbox()
    let person = Person()
    _ = try box.newcomer(person)
    let body = "{\"email\": \"\(person.email)\"}"
    let connection = try RawConnection(box.server.address, timeoutMilliseconds: 15_000)
    try connection.send(
      Array(
        ("POST /v1/password-reset HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n"
          + "Forwarded: host=evil.example\r\nOrigin: https://evil.example\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8))
    #expect(try connection.readResponse(toHEAD: false).status == 202)
    let letter = try box.letter(2, to: person.email)
    #expect(letter.token != nil && !"\(letter)".contains("evil.example"))
  }

  @Test func `to open the pages that links lead to changes nothing`() throws {
    let box = try Mailbox()
    let person = Person()
    let (visitor, verification) = try box.newcomer(person)
    try box.visitor.requestReset(person.email).expect(202)
    let reset = try box.token(2, to: person.email, page: "/reset")
    let dump = "select (select jsonb_agg(link) from link)::text || (select jsonb_agg(account) from account)::text"
    let before = try box.database.value(dump)
    for (page, token) in [("/reset", reset), ("/verify", verification)] {
      for method in ["GET", "HEAD"] {
        for target in [page, "\(page)?token=\(token)"] {
          let answer = try box.visitor.send(method, target).expect(200)
          #expect(answer["Content-Type"] == "text/html; charset=utf-8")
          #expect(answer["Referrer-Policy"] == "no-referrer" && answer["X-Content-Type-Options"] == "nosniff")
          let policy = try #require(answer["Content-Security-Policy"])
          #expect(policy.contains("default-src 'none'; script-src 'self';"))
          #expect(!policy.contains("unsafe") && !policy.contains("'sha256-'"))
        }
      }
      for call in ["POST", "PUT", "DELETE"] { try box.visitor.send(call, page).problem(.methodNotAllowed) }
    }
    for path in ["/v1/password-reset/confirm", "/v1/email-verification/confirm"] {
      for method in ["GET", "HEAD"] { #expect(try box.visitor.send(method, "\(path)?token=\(reset)").status == 405) }
    }
    #expect(try box.database.value(dump) == before)
    #expect(try visitor.me().status == 200)
    try box.visitor.reset(reset, PasswordResetTests.password).expect(204)
  }
}
