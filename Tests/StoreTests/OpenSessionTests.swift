import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct OpenSessionTests {
  static let newHash = PasswordHash(stored: "$argon2id$v=19$m=16,t=2,p=1$c29tZXNhbHQ$BBBB")

  @Test func `a session is opened and good at once, beside the others`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let session = ground.session(from: Ground.away, device: "Safari/26")
      let opened = try #require(
        await ground.run(
          OpenSession(
            candidate: await ground.candidate("ada"), session: session, newHash: nil, event: ground.ids.next())))
      #expect(opened.account.id == ada.id && opened.account.username == "ada")
      #expect(opened.session.id == session.id)
      #expect(opened.session.expiresAtMicroseconds - opened.session.createdAtMicroseconds == 30 * 86_400 * 1_000_000)
      #expect(try await ground.found(ReadAccount(token: session.token)) == opened.account)
      #expect(try await ground.found(ReadAccount(token: ada.token)) == opened.account)
      #expect(
        try ground.rows("select host(ip), user_agent, epoch from session where id = $1", [String(session.id)])
          == [["198.51.100.7", "Safari/26", "1"]])
    }
  }

  @Test(arguments: [
    "update account set session_epoch = session_epoch + 1", "update account set disabled_at = now()",
    "delete from account",
  ])
  func `nothing happens once all sessions were ended, or the account is disabled or gone`(change: String) async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let attempt = ground.attempt("ada", allowances: .of(address: 60, pair: 10, inARow: 100))
      guard case .allowed(let candidate?) = try await ground.run(attempt) else {
        Issue.record("not found")
        return
      }
      try ground.change("\(change) where username = 'ada'")
      let (used, counts) = try (ground.used(), ground.counts())
      let session = ground.session(replacing: bob.token)
      let opened = try await ground.run(
        OpenSession(candidate: candidate, session: session, newHash: Self.newHash, event: ground.ids.next()))
      #expect(opened == nil)
      #expect(try ground.used() == used, "attempts are not given back")
      #expect(try ground.counts() == counts)
      #expect(try ground.value("select count(*) from credential where password_hash = $1", [Self.newHash.text]) == "0")
      #expect(try await ground.found(ReadAccount(token: bob.token)).username == "bob")
      #expect(try await ground.run(ReadAccount(token: session.token)) == nil)
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
    }
  }

  @Test(arguments: [(interval: "0 s", left: "4"), (interval: "1 ms", left: "5")])
  func `an attempt is given back to the window of its address that it was counted in`(
    change: (interval: String, left: String)
  ) async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      let attempt = ground.attempt("ada", allowances: .of(address: 60, pair: 10, inARow: 100))
      guard case .allowed(let candidate?) = try await ground.run(attempt) else {
        Issue.record("not found")
        return
      }
      // Others have failed meanwhile; in one case the window was over before.
      try ground.change(
        "update throttle set used = 5, resets_at = resets_at + interval '\(change.interval)' where rule = 'login_address'"
      )
      let opened = try await ground.run(
        OpenSession(candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next()))
      #expect(opened != nil)
      #expect(try ground.value("select used from throttle where rule = 'login_address'") == change.left)
    }
  }

  @Test func `the session that was presented ends, whosever it is`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      for presented in [ada.token, bob.token, SessionToken().digest] {
        let session = ground.session(replacing: presented)
        #expect(
          try await ground.run(
            OpenSession(candidate: ground.candidate("ada"), session: session, newHash: nil, event: ground.ids.next()))
            != nil)
        #expect(try await ground.run(ReadAccount(token: presented)) == nil)
      }
      #expect(try ground.counts()["session"] == 3)
    }
  }

  @Test func `a success gives the attempts back`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let allowances = LoginAllowances.of(address: 60, pair: 10, inARow: 100)
      for _ in 0..<3 {
        _ = try await ground.run(ground.attempt("ada", allowances: allowances))
        _ = try await ground.run(ground.attempt("ada", from: Ground.away, allowances: allowances))
        _ = try await ground.run(ground.attempt("bob", allowances: allowances))
      }
      guard case .allowed(let candidate?) = try await ground.run(ground.attempt("ada", allowances: allowances)) else {
        Issue.record("not found")
        return
      }
      _ = try await ground.run(
        OpenSession(candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next()))
      #expect(
        try ground.used() == [
          // The one attempt of the success; failures stay, or one good account would hide attacks on others.
          "login_address 192.0.2.1": 6, "login_address 198.51.100.7": 3,
          "login_account_address \(ada.id) 198.51.100.7": 3,
          "login_account_address \(bob.id) 192.0.2.1": 3, "login_account \(bob.id)": 3,
        ])
    }
  }

  @Test func `successes alone never spend a limit`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      for _ in 0..<20 {
        let attempt = ground.attempt("ada", allowances: .of(address: 3, pair: 3, inARow: 3))
        guard case .allowed(let candidate?) = try await ground.run(attempt) else {
          Issue.record("refused")
          return
        }
        _ = try await ground.run(
          OpenSession(candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next()))
      }
      #expect(try ground.used() == ["login_address 192.0.2.1": 0])
    }
  }

  @Test func `a password is hashed anew only while the old hash stands`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      _ = try await ground.newcomer("bob")
      let changedAt = try ground.value("select changed_at from credential order by changed_at limit 1")
      let candidate = try await ground.candidate("ada")
      func hashes() throws -> [String?] {
        try ground.rows(
          "select password_hash from credential join account on account.id = account_id order by username"
        ).map { $0[0] }
      }
      _ = try await ground.run(
        OpenSession(candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next()))
      #expect(try hashes() == [Ground.hash.text, Ground.hash.text])
      _ = try await ground.run(
        OpenSession(candidate: candidate, session: ground.session(), newHash: Self.newHash, event: ground.ids.next()))
      #expect(try hashes() == [Self.newHash.text, Ground.hash.text])
      #expect(
        try ground.value("select changed_at from credential order by changed_at limit 1") == changedAt,
        "the password is the same")
      // The candidate carries the hash of before: its owner has chosen another password meanwhile.
      let late = PasswordHash(stored: "$argon2id$v=19$m=32,t=2,p=1$c29tZXNhbHQ$CCCC")
      let session = ground.session()
      #expect(
        try await ground.run(
          OpenSession(candidate: candidate, session: session, newHash: late, event: ground.ids.next())) != nil)
      #expect(try hashes() == [Self.newHash.text, Ground.hash.text])
    }
  }
}
