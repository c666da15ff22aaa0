import RoostAPI
import TestSupport
import Testing

@Suite(.onThreads, .timeLimit(.minutes(10))) struct PasswordResetTests {
  static let password = "an engine of bronze"

  @Test func `a mailed link sets a new password, once, and ends every session`() throws {
    let box = try Mailbox()
    let person = Person()
    let (signedIn, _) = try box.newcomer(person)
    let answer = try box.visitor.requestReset(person.email).expect(202)
    #expect(answer.body.isEmpty)
    let token = try box.token(2, to: person.email, page: "/reset")
    #expect(try signedIn.me().status == 200, "asking changes nothing")

    try box.visitor.reset(token, Self.password).expect(204)
    try signedIn.me().problem(.signedOut)
    try box.visitor.logIn(person.username, person.password).problem(.wrongCredentials)
    let account: SignedIn = try box.visitor.logIn(person.email, Self.password).expect(201).decoded()
    #expect(account.user.emailVerified, "who resets a password reads mail there")
    let told = try box.letter(3, to: person.email)
    #expect(told.subject == "Your Roost password was changed" && told.token == nil)

    try box.visitor.reset(token, "another engine").problem(.linkExpired)
    try box.visitor.logIn(person.username, Self.password).expect(201)
    let kinds = try box.database.rows("select kind from audit_event order by id").map { $0[0]! }
    #expect(kinds.contains("password_reset_requested") && kinds.contains("password_reset"))
  }

  @Test func `of fifty who redeem a link at once one gets through`() throws {
    let box = try Mailbox()
    let person = Person()
    _ = try box.newcomer(person)
    try box.visitor.requestReset(person.email).expect(202)
    let token = try box.token(2, to: person.email, page: "/reset")
    let client = box.server.client(timeoutMilliseconds: 60_000)
    let statuses = try atOnce(50) { index in try Visitor(client).reset(token, "engine number \(index)").status }
    #expect(statuses.counted == [204: 1, 410: 49])
    let winner = try #require(statuses.firstIndex(of: 204))
    try box.visitor.logIn(person.username, "engine number \(winner)").expect(201)
  }

  @Test func `a link is good for its purpose, the newest, for an hour`() throws {
    let box = try Mailbox()
    let person = Person()
    let (_, verification) = try box.newcomer(person)
    try box.visitor.requestReset(person.email).expect(202)
    let older = try box.token(2, to: person.email, page: "/reset")
    try box.visitor.requestReset(person.email.inMixedCase).expect(202)
    let newer = try box.token(3, to: person.email, page: "/reset")
    for token in [
      older, verification, "", "x", String(newer.reversed()), newer + "A", String(repeating: "é", count: 43),
    ] {
      try box.visitor.reset(token, Self.password).problem(.linkExpired)
    }
    try box.visitor.confirmEmail(newer).problem(.linkExpired)
    _ = try box.database.rows("update link set expires_at = now() where purpose = 'password_reset'")
    try box.visitor.reset(newer, Self.password).problem(.linkExpired)
    try box.visitor.logIn(person.username, person.password).expect(201)
  }

  @Test func `a password that the policy refuses leaves the link good`() throws {
    let box = try Mailbox()
    let person = Person("longusername")
    _ = try box.newcomer(person)
    try box.visitor.requestReset(person.email).expect(202)
    let token = try box.token(2, to: person.email, page: "/reset")
    for (password, code) in [
      ("short", FieldErrorCode.tooShort), (person.username, .sameAsLogin), (person.email, .sameAsLogin),
    ] {
      let problem = try box.visitor.reset(token, password).problem(.invalidFields)
      #expect(problem.errors?.map(\.field) == ["newPassword"] && problem.errors?[0].knownCode == code)
    }
    let missing = try box.visitor.post("/v1/password-reset/confirm", json: "{}").problem(.invalidFields)
    #expect(missing.errors?.map(\.field) == ["token", "newPassword"])
    try box.visitor.reset(token, Self.password).expect(204)
  }

  @Test func `an address that is nobody's gets the same answer, also beyond its limit, and no letter`() throws {
    let box = try Mailbox()
    let (person, ghost, disabled) = (Person(), Person("ghost"), Person("dora"))
    _ = try box.newcomer(person)
    _ = try box.newcomer(disabled)
    _ = try box.database.rows("update account set disabled_at = now() where username = $1", [disabled.username])
    for _ in 0..<5 {
      let answers = try [person, ghost, disabled].map { try box.visitor.requestReset($0.email).expect(202) }
      let comparable = answers.map {
        $0.headers.filter { $0.name != "Date" && $0.name != "X-Request-ID" }.map { "\($0)" }
      }
      #expect(Set(comparable).count == 1)
    }
    for person in [person, ghost, disabled] {
      let answer = try box.visitor.requestReset(person.email).expect(202)
      #expect(answer.body.isEmpty)
    }
    for _ in 0..<2 { try box.visitor.requestReset(ghost.email).expect(202) }
    // The address that asks has its own limit, which it is told.
    for person in [person, ghost, disabled] { try box.visitor.requestReset(person.email).problem(.tooManyRequests) }
    _ = try box.letter(6, to: person.email)
    #expect(box.mail.messages.count == 7, "two verifications and five resets")
    #expect(!box.mail.tried.contains(ghost.email))
    let events = try box.database.rows("select count(*) from audit_event where kind = 'password_reset_requested'")
    #expect(events[0][0] == "15", "each was noted, and so written to disk, alike")
    #expect(try box.database.value("select count(*) from outbox where kind = 'password_reset'") == "5")
    // Two letters travel at once, so that the newest may arrive before another: one of the links is good.
    let statuses = try (2...6).map { number in
      try box.visitor.reset(box.token(number, to: person.email, page: "/reset"), Self.password).status
    }
    #expect(statuses.counted == [204: 1, 410: 4])
  }

  @Test(arguments: ["/v1/password-reset", "/v1/username-reminder"])
  func `what is asked for by address takes a whole span of time, whoever it is for`(path: String) throws {
    let box = try Mailbox(settings: ["LIMIT_MAIL_ADDRESS": "12"])
    let person = Person()
    _ = try box.newcomer(person)
    for email in [person.email, Person("ghost").email] {
      // The sixth is beyond the account's limit.
      for _ in 0..<6 {
        let start = ContinuousClock.now
        try box.visitor.post(path, LetterRequest(email: email)).expect(202)
        #expect(ContinuousClock.now - start >= .milliseconds(15), "a span is 20 ms, by a clock of whole ones")
      }
    }
    try box.visitor.post(path, LetterRequest(email: person.email)).problem(.tooManyRequests)
  }

  @Test func `a new password gives the attempts back`() throws {
    let box = try Mailbox(settings: ["LIMIT_LOGIN_ACCOUNT_ADDRESS": "3/900s"])
    let person = Person()
    _ = try box.newcomer(person)
    for _ in 0..<3 { try box.visitor.logIn(person.username, "wrong horse").problem(.wrongCredentials) }
    try box.visitor.logIn(person.username, person.password).problem(.tooManyRequests)
    try box.visitor.requestReset(person.email).expect(202)
    try box.visitor.reset(box.token(2, to: person.email, page: "/reset"), Self.password).expect(204)
    try box.visitor.logIn(person.username, Self.password).expect(201)
  }
}
