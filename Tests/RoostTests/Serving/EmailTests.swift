import RoostAPI
import TestSupport
import Testing

@Suite(.onThreads, .timeLimit(.minutes(10))) struct EmailTests {
  @Test func `a mailed link verifies the address, once`() throws {
    let box = try Mailbox()
    let person = Person()
    let (visitor, first) = try box.newcomer(person)
    #expect(try visitor.me().decoded(Account.self).emailVerified == false)
    try visitor.send("POST", "/v1/email-verification").expect(202)
    let second = try box.token(2, to: person.email, page: "/verify")
    try box.visitor.confirmEmail(first).problem(.linkExpired)
    let account: Account = try box.visitor.confirmEmail(second).expect(200).decoded()
    #expect(account.emailVerified && account.email == person.email)
    try box.visitor.confirmEmail(second).problem(.linkExpired)
    #expect(try visitor.me().decoded(Account.self).emailVerified)

    try visitor.send("POST", "/v1/email-verification").expect(202)
    try box.visitor.send("POST", "/v1/email-verification").problem(.signedOut)
    #expect(try box.database.value("select count(*) from outbox") == "2", "what is verified needs no letter")
  }

  @Test func `an address changes when the link that went there is confirmed`() throws {
    let box = try Mailbox()
    let (person, new) = (Person(), Person("new"))
    let (visitor, verification) = try box.newcomer(person)
    try visitor.changeEmail(new.email, "wrong horse").problem(.wrongPassword)
    let refused = try visitor.changeEmail("nonsense", person.password).problem(.invalidFields)
    #expect(refused.errors?.map(\.field) == ["email"])
    try visitor.changeEmail(new.email, person.password).expect(202)
    let token = try box.token(1, to: new.email, page: "/verify")
    let notice = try box.letter(2, to: person.email)
    #expect(notice.subject == "Your email address at Roost is about to change" && notice.token == nil)
    #expect(!notice.text.contains(new.email))
    #expect(try visitor.me().decoded(Account.self).email == person.email)

    let account: Account = try box.visitor.confirmEmail(token).expect(200).decoded()
    #expect(account.email == new.email && account.emailVerified)
    try box.visitor.logIn(new.email, person.password).expect(201)
    try box.visitor.logIn(person.email, person.password).problem(.wrongCredentials)
    try box.visitor.confirmEmail(verification).problem(.linkExpired)
    #expect(try visitor.me().status == 200, "sessions stay")
  }

  @Test func `an address that somebody has is refused, also when it was taken meanwhile`() throws {
    let box = try Mailbox()
    let (ada, bob, wanted) = (Person("ada"), Person("bob"), Person("wanted"))
    let (visitor, _) = try box.newcomer(ada)
    _ = try box.newcomer(bob)
    let taken = try visitor.changeEmail(bob.email.inMixedCase, ada.password).problem(.taken)
    #expect(taken.errors?.map(\.field) == ["email"])
    try visitor.changeEmail(wanted.email, ada.password).expect(202)
    let token = try box.token(1, to: wanted.email, page: "/verify")
    try box.visitor.register(wanted).expect(201)
    let meanwhile = try box.visitor.confirmEmail(token).problem(.taken)
    #expect(meanwhile.errors?.map(\.field) == ["email"])
    #expect(try visitor.me().decoded(Account.self).email == ada.email)
  }

  @Test func `of two accounts that confirm one address at once one has it`() throws {
    let box = try Mailbox()
    let wanted = Person("wanted")
    let people = [Person("ada"), Person("bob")]
    let tokens = try people.enumerated().map { index, person in
      try box.newcomer(person).visitor.changeEmail(wanted.email, person.password).expect(202)
      return try box.token(index + 1, to: wanted.email, page: "/verify")
    }
    let statuses = try atOnce(2) { try Visitor(box.server).confirmEmail(tokens[$0]).status }
    #expect(statuses.counted == [200: 1, 409: 1])
  }

  @Test func `wrong passwords count like failed log-ins, and a right one gives them back`() throws {
    let box = try Mailbox(settings: ["LIMIT_LOGIN_ACCOUNT_ADDRESS": "3/900s"])
    let person = Person()
    let (visitor, _) = try box.newcomer(person)
    for _ in 0..<2 { try visitor.changeEmail("x@example.com", "wrong horse").problem(.wrongPassword) }
    try visitor.changeEmail("x@example.com", person.password).expect(202)
    for _ in 0..<2 { try visitor.changeEmail("x@example.com", "wrong horse").problem(.wrongPassword) }
    try box.visitor.logIn(person.username, "wrong horse").problem(.wrongCredentials)
    try visitor.changeEmail("x@example.com", person.password).problem(.tooManyRequests)
  }

  @Test func `a username is mailed to those who know the address`() throws {
    let box = try Mailbox()
    let (person, ghost) = (Person(), Person("ghost"))
    _ = try box.newcomer(person)
    for email in [person.email.inMixedCase, ghost.email] {
      let answer = try box.visitor.post("/v1/username-reminder", LetterRequest(email: email)).expect(202)
      #expect(answer.body.isEmpty)
    }
    let letter = try box.letter(2, to: person.email)
    #expect(letter.text.contains(person.username) && letter.token == nil)
    #expect(!box.mail.tried.contains(ghost.email))
  }

  @Test func `beyond an account's limit no reminder is mailed, and the answer stays the same`() throws {
    let box = try Mailbox(settings: ["LIMIT_MAIL_ACCOUNT": "2/h", "LIMIT_MAIL_ADDRESS": "7/h"])
    let (person, ghost) = (Person(), Person("ghost"))
    _ = try box.newcomer(person)
    let ask = { (person: Person) in try box.visitor.post("/v1/username-reminder", LetterRequest(email: person.email)) }
    for _ in 0..<3 { for person in [person, ghost] { #expect(try ask(person).expect(202).body.isEmpty) } }
    #expect(try ask(ghost).status == 202)
    for person in [person, ghost] { try ask(person).problem(.tooManyRequests) }
    _ = try box.letter(3, to: person.email)
    #expect(try box.database.value("select count(*) from outbox where kind = 'username_reminder'") == "2")
    // Whoever is signed in knows that the account exists, and is told.
    let visitor = try box.visitor.loggedIn(person)
    for status in [202, 202, 429] { try visitor.send("POST", "/v1/email-verification").expect(status) }
  }

  @Test func `a new password leaves the verification of the address good, and no change of it`() throws {
    let box = try Mailbox()
    let (person, thief) = (Person(), Person("thief"))
    let (visitor, verification) = try box.newcomer(person)
    try visitor.changeEmail(thief.email, person.password).expect(202)
    let change = try box.token(1, to: thief.email, page: "/verify")
    try visitor.changePassword(from: person.password, to: "a loom of algebra").expect(204)
    try box.visitor.confirmEmail(change).problem(.linkExpired)
    let account: Account = try box.visitor.confirmEmail(verification).expect(200).decoded()
    #expect(account.emailVerified && account.email == person.email)
    try box.visitor.confirmEmail(verification).problem(.linkExpired)
  }

  @Test func `letters are in the language that the browser asked for at sign-up`() throws {
    let box = try Mailbox()
    let person = Person()
    let body = person.registration
    try box.visitor.post("/v1/register", body, headers: [("Accept-Language", "ko-KR,ko;q=0.9,en;q=0.5")]).expect(201)
    #expect(try box.letter(1, to: person.email).subject == "Roost 이메일 주소 확인")
    try box.visitor.requestReset(person.email).expect(202)
    #expect(try box.letter(2, to: person.email).text.contains("비밀번호"))
  }
}
