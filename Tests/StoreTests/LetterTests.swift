import Secrets
import Store
import Testing
import Values

/// The outbox: who holds a letter, and what becomes of it.
@Suite(.timeLimit(.minutes(5))) struct LetterTests {
  private let lease = LeaseLetters(count: 100, leaseSeconds: 60)

  @Test func `signing up leaves a letter and the link in it`() async throws {
    try await Ground.with { ground in
      let link = MailedLink(letter: ground.ids.next())
      let signUp = SignUp(
        id: ground.ids.next(), username: try Username("ada"), email: try EmailAddress("Ada@Example.com"), fullName: nil,
        passwordHash: Ground.hash, session: ground.session(), language: .korean, link: link,
        event: ground.ids.next())
      _ = try await ground.run(signUp)
      let letters = try await ground.run(lease)
      let letter = try #require(letters.first)
      #expect(letters.count == 1)
      #expect(letter.id == link.letter && letter.kind == .emailVerification && letter.language == .korean)
      #expect(letter.recipient == "Ada@Example.com" && letter.username == "ada")
      #expect(letter.secret == link.token.text && letter.attempt == 1)
      #expect(try ground.value("select encode(token_digest, 'hex') from link") == hex(link.token.digest))
      #expect(try ground.value("select expires_at - created_at from link") == "1 day")
    }
  }

  private func hex(_ digest: TokenDigest) -> String {
    digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `of many who lease at once each letter goes to one`() async throws {
    try await Ground.with { ground in
      for index in 0..<30 { _ = try await ground.newcomer("name\(index)") }
      let leased = try await parallel(10) { _ in try await ground.run(LeaseLetters(count: 5, leaseSeconds: 60)) }
      let ids = leased.flatMap { $0 }.map(\.id)
      #expect(Set(ids).count == ids.count)
      let rest = try await ground.run(lease)
      #expect(ids.count + rest.count == 30)
      #expect(try await ground.run(lease).isEmpty, "all are leased")
    }
  }

  @Test func `when a lease has passed to another, the first holder changes nothing`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      let first = try #require(try await ground.run(lease).first)
      try ground.change("update outbox set next_attempt_at = now()")
      let second = try #require(try await ground.run(lease).first)
      #expect(second.id == first.id && second.attempt == 2 && second.secret == first.secret)
      try await ground.run(SettleLetter(id: first.id, attempt: 1, outcome: .givenUp(reason: "late")))
      #expect(try ground.value("select count(*) from outbox where given_up_at is null and secret is not null") == "1")
      try await ground.run(SettleLetter(id: second.id, attempt: 2, outcome: .sent))
      #expect(try ground.value("select count(*) from outbox where sent_at is not null and secret is null") == "1")
      try await ground.run(SettleLetter(id: second.id, attempt: 2, outcome: .retry(afterSeconds: 1, reason: "x")))
      #expect(try ground.value("select count(*) from outbox where sent_at is not null") == "1")
    }
  }

  @Test func `a letter that is put off keeps its secret and waits`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      let letter = try #require(try await ground.run(lease).first)
      try await ground.run(SettleLetter(id: letter.id, attempt: 1, outcome: .retry(afterSeconds: 600, reason: "away")))
      #expect(try await ground.run(lease).isEmpty)
      let row = try ground.rows(
        "select secret is not null, last_error, next_attempt_at between now() + interval '590 s' and now() + interval '600 s' from outbox"
      )
      #expect(row == [["t", "away", "t"]])
    }
  }

  @Test func `what is older than a day is not tried but given up, and loses its secret`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      _ = try await ground.newcomer("bob")
      #expect(try await ground.run(GiveUpLetters()).isEmpty)
      try ground.change("update outbox set created_at = now() - interval '25 hours' where username = 'ada'")
      #expect(try await ground.run(lease).map(\.username) == ["bob"])
      let given = try await ground.run(GiveUpLetters())
      #expect(given.map(\.kind) == ["email_verification"] && given.map(\.attempts) == [0])
      #expect(try ground.value("select count(*) from outbox where given_up_at is not null and secret is null") == "1")
      #expect(try await ground.run(GiveUpLetters()).isEmpty)
    }
  }

  @Test func `a reset link is void once the account's epoch or address is another`() async throws {
    for change in ["session_epoch = session_epoch + 1", "email = 'new@example.com'", "disabled_at = now()"] {
      try await Ground.with { ground in
        _ = try await ground.newcomer("ada")
        let link = MailedLink(letter: ground.ids.next())
        let limits = LetterAllowances(perAddress: Ground.unlimited, perAccount: Ground.unlimited)
        _ = try await ground.run(
          RequestPasswordReset(
            email: EmailAddress("ada@example.com"), emailDigest: "x", address: Ground.home, allowances: limits,
            link: link,
            stamp: AuditStamp(id: ground.ids.next(), address: Ground.home)))
        let names = try await ground.run(ReadPasswordReset(token: link.token.digest))
        #expect(names == ReadPasswordReset.Names(username: "ada", email: "ada@example.com"))
        try ground.change("update account set \(change)")
        #expect(try await ground.run(ReadPasswordReset(token: link.token.digest)) == nil)
        let isReset = try await ground.run(
          ResetPassword(
            token: link.token.digest, passwordHash: Ground.hash, address: Ground.home, letter: ground.ids.next(),
            stamp: AuditStamp(id: ground.ids.next(), address: Ground.home)))
        #expect(!isReset)
        #expect(try ground.value("select count(*) from audit_event where kind = 'password_reset'") == "0")
      }
    }
  }
}
