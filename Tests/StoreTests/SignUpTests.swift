import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct SignUpTests {
  @Test func `an account comes with its credential and its session`() async throws {
    try await Ground.with { ground in
      let session = ground.session(from: ClientAddress("2001:db8::7")!, device: "Firefox/140")
      let signUp = SignUp(
        id: ground.ids.next(), username: try Username("Ada.L"), email: try EmailAddress("Ada+x@Example.com"),
        fullName: try FullName("Ada Lovelace"), passwordHash: Ground.hash, session: session, language: .korean,
        link: MailedLink(letter: ground.ids.next()), event: ground.ids.next())
      guard case .signedUp(let account, let opened) = try await ground.run(signUp) else {
        Issue.record("not signed up")
        return
      }
      #expect(account.id == signUp.id)
      #expect(account.username == "ada.l")
      #expect(account.email == "Ada+x@Example.com")
      #expect(account.fullName == "Ada Lovelace")
      #expect(account.bio == nil && account.avatarDigest == nil && !account.isEmailVerified)
      #expect([account.followers, account.following, account.tweets] == [0, 0, 0])
      #expect(opened.id == session.id)
      #expect(opened.createdAtMicroseconds == account.createdAtMicroseconds)
      #expect(opened.expiresAtMicroseconds - opened.createdAtMicroseconds == 30 * 86_400 * 1_000_000)
      #expect(
        try ground.counts() == [
          "account": 1, "credential": 1, "session": 1, "throttle": 0, "tweet": 0, "tweet_like": 0,
        ])
      #expect(try ground.value("select email_folded from account") == "ada+x@example.com")
      #expect(try ground.value("select password_hash from credential") == Ground.hash.text)
      let rows = try ground.rows(
        "select host(ip), user_agent, token_digest = decode($1, 'hex'), epoch, account_id from session",
        [session.token.bytes.hex])
      #expect(rows == [["2001:db8::7", "Firefox/140", "t", "1", String(account.id)]])
    }
  }

  @Test(arguments: [
    ("ada", "other@example.com", true, false), ("other", "ada@example.com", false, true),
    ("other", "ADA@EXAMPLE.COM", false, true), ("Ada", "Ada@example.com", true, true),
  ])
  func `a name that is taken leaves nothing behind`(
    username: String, email: String, isNameTaken: Bool, isEmailTaken: Bool
  ) async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let before = try ground.counts()
      let late = ground.session(replacing: ada.token)
      guard case .taken(let taken) = try await ground.run(ground.signUp(username, email: email, late)) else {
        Issue.record("signed up")
        return
      }
      #expect(taken.username == isNameTaken && taken.email == isEmailTaken && taken.isAny)
      #expect(try ground.counts() == before)
      #expect(try await ground.run(ReadAccount(token: late.token)) == nil)
      #expect(
        try await ground.found(ReadAccount(token: ada.token)).username == "ada", "a session ends with a log-in only")
    }
  }

  @Test func `the session that was presented ends, and no other`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let other = try await ground.anotherSession(of: ada)
      _ = try await ground.run(ground.signUp("bob", ground.session(replacing: ada.token)))
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      #expect(try await ground.found(ReadAccount(token: other.token)).username == "ada")
      #expect(try ground.counts()["session"] == 2)
    }
  }

  @Test(arguments: [(3_600, 60, 60), (60, 3_600, 60)])
  func `a session ends when it has idled, or in any case`(idle: Int, max: Int, expected: Int64) async throws {
    try await Ground.with { ground in
      let session = ground.session(lifetime: SessionLifetime(idleSeconds: idle, maxSeconds: max))
      guard case .signedUp(_, let opened) = try await ground.run(ground.signUp("ada", session)) else {
        Issue.record("not signed up")
        return
      }
      #expect(opened.expiresAtMicroseconds - opened.createdAtMicroseconds == expected * 1_000_000)
    }
  }

  @Test func `of a hundred sign-ups for one name in mixed case, one gets it`() async throws {
    try await Ground.with(writers: 16) { ground in
      let outcomes = try await parallel(100) { index in
        let name = index % 2 == 0 ? "Grace.Hopper" : "grace.hopper"
        let statement = try ground.signUp(name, email: "grace\(index)@example.com", ground.session())
        var outcome = try await ground.run(statement)
        // Neither flag: the other one was being made at the same moment.
        while case .taken(let taken) = outcome, !taken.isAny { outcome = try await ground.run(statement) }
        return outcome
      }
      var flags: [[Bool]] = []
      for case .taken(let taken) in outcomes { flags.append([taken.username, taken.email]) }
      #expect(flags == Array(repeating: [true, false], count: 99))
      let counts = try ground.counts()
      #expect([counts["account"], counts["credential"], counts["session"]] == [1, 1, 1])
      #expect(try ground.value("select username from account") == "grace.hopper")
    }
  }

  @Test func `names and addresses crossed over at once make whole accounts or none`() async throws {
    try await Ground.with(writers: 16) { ground in
      _ = try await parallel(60) { index in
        let statement = try ground.signUp(
          "name\(index % 6)", email: "mail\(index / 6 % 5)@example.com", ground.session())
        return try await ground.run(statement)
      }
      let counts = try ground.counts()
      #expect(counts["account"]! >= 1 && counts["account"]! <= 5)
      #expect(counts["credential"] == counts["account"] && counts["session"] == counts["account"])
    }
  }
}

extension [UInt8] {
  /// Two hexadecimal digits for each byte.
  var hex: String {
    let digits = Array<Character>("0123456789abcdef")
    return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
