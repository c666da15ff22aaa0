import Secrets
import Store
import Testing
import Values

/// What takes the password: changing it, and deleting the account.
@Suite(.timeLimit(.minutes(5))) struct OwnershipTests {
  static let newHash = PasswordHash(stored: "$argon2id$v=19$m=16,t=1,p=1$c29tZXNhbHQ$BBBB")

  private func candidate(_ person: Ground.Person, _ ground: Ground) async throws -> PasswordCandidate {
    let allowances = LoginAllowances.of(address: 60, pair: 10, inARow: 100)
    let attempt = AttemptPassword(token: person.token, address: Ground.home, allowances: allowances)
    guard case .allowed(let candidate) = try await ground.found(attempt) else { throw Ground.NobodySignedIn() }
    return candidate
  }

  private func change(_ person: Ground.Person, _ candidate: PasswordCandidate, _ ground: Ground) -> ChangePassword {
    ChangePassword(
      token: person.token, candidate: candidate, passwordHash: Self.newHash, address: Ground.home,
      letter: ground.ids.next(), stamp: ground.stamp)
  }

  private func delete(_ person: Ground.Person, _ candidate: PasswordCandidate, _ ground: Ground) -> DeleteAccount {
    DeleteAccount(token: person.token, candidate: candidate, address: Ground.home, stamp: ground.stamp)
  }

  @Test func `a new password ends all other sessions and mailed links, gives the attempt back and tells the owner`()
    async throws
  {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let phone = try await ground.anotherSession(of: ada)
      let bob = try await ground.newcomer("bob")
      try ground.addLinks()
      let found = try await candidate(ada, ground)
      #expect(try ground.used().values.allSatisfy { $0 == 1 })
      #expect(try await ground.found(change(ada, found, ground)))
      #expect(try await ground.found(ReadAccount(token: ada.token)).id == ada.id, "the session that asked goes on")
      #expect(try await ground.run(ReadAccount(token: phone.token)) == nil)
      #expect(try await ground.found(ReadAccount(token: bob.token)).id == bob.id)
      #expect(try await ground.candidate("ada").passwordHash == Self.newHash)
      #expect(try await ground.candidate("bob").passwordHash == Ground.hash)
      #expect(try ground.used() == ["login_address 192.0.2.1": 0])
      #expect(try ground.links(of: ada) == ["email_verification"], "it says nothing about the password")
      #expect(try ground.links(of: bob) == ["email_change", "email_verification", "password_reset"])
      let letters = try ground.rows(
        "select recipient, username, secret, account_id from outbox where kind = 'password_changed'")
      #expect(letters == [["ada@example.com", "ada", nil, String(ada.id)]])
      #expect(try ground.events(.passwordChanged) == ["\(ada.id) 192.0.2.1 -"])
    }
  }

  @Test func `of two changes at once one holds, and a log-in under way with the old password opens nothing`()
    async throws
  {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let old = try await ground.candidate("ada")
      let found = try await candidate(ada, ground)
      let statements = (0..<6).map { _ in change(ada, found, ground) }
      let changed = try await parallel(6) { index in try await ground.found(statements[index]) }
      #expect(changed.count { $0 } == 1)
      #expect(try ground.value("select session_epoch from account") == "2")
      let session = ground.session()
      let opening = OpenSession(candidate: old, session: session, newHash: Self.newHash, event: ground.ids.next())
      #expect(try await ground.run(opening) == nil)
      #expect(try ground.counts()["session"] == 1)
      #expect(try ground.events(.passwordChanged).count == 1)
    }
  }

  @Test func `an account goes with all that is its own, and what it liked counts one less`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await ground.anotherSession(of: ada)
      let bob = try await ground.newcomer("bob")
      let hers = try await ground.post("hers", by: ada)
      let liked = try await ground.post("liked", by: bob)
      let other = try await ground.post("other", by: bob)
      for (tweet, account) in [(hers, ada.id), (hers, bob.id), (liked, ada.id), (liked, bob.id), (other, bob.id)] {
        try ground.change(
          "insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(tweet), String(account)])
        try ground.change("update tweet set like_count = like_count + 1 where id = $1", [String(tweet)])
      }
      try ground.change(
        "insert into avatar (account_id, sha256, jpeg) values ($1, sha256('x'), 'x')", [String(ada.id)])
      let found = try await candidate(ada, ground)
      #expect(try await ground.found(delete(ada, found, ground)))
      #expect(
        try ground.counts() == [
          "account": 1, "credential": 1, "session": 1, "throttle": 1, "tweet": 2, "tweet_like": 2,
        ])
      #expect(try ground.used() == ["login_address 192.0.2.1": 0])
      #expect(try ground.rows("select text, like_count from tweet order by id") == [["liked", "1"], ["other", "1"]])
      #expect(try ground.value("select count(*) from avatar") == "0")
      for table in ["link", "outbox"] {
        #expect(try ground.value("select count(*) from \(table) where account_id = $1", [String(ada.id)]) == "0")
      }
      #expect(try ground.events(.accountDeleted) == ["\(ada.id) 192.0.2.1 -"])
      #expect(try ground.events(.signedUp).contains("\(ada.id) 192.0.2.1 -"), "the audit stays")
      guard case .signedUp = try await ground.run(ground.signUp("ada", ground.session())) else {
        Issue.record("the names are not free")
        return
      }
    }
  }

  @Test func `an account whose password has changed meanwhile stays, whole`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let tweet = try await ground.post(by: ada)
      try ground.change("insert into tweet_like (tweet_id, account_id) select id, author_id from tweet")
      let found = try await candidate(ada, ground)
      #expect(try await ground.found(change(ada, found, ground)))
      #expect(try await ground.found(delete(ada, found, ground)) == false)
      #expect(try await ground.found(ReadTweet(token: ada.token, id: tweet)) != nil)
      #expect(try ground.counts()["tweet_like"] == 1)
      #expect(try ground.events(.accountDeleted) == [])
    }
  }
}
