import Secrets
import Store
import Testing
import Values

/// What those who run the service do to accounts.
@Suite(.timeLimit(.minutes(5))) struct OperatorTests {
  private func stamp(_ ground: Ground) -> AuditStamp { AuditStamp(id: ground.ids.next(), address: nil) }

  @Test func `an account is found by its id, its username and its email address, in any case`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      _ = try await ground.anotherSession(of: ada)
      for name in ["ada", "ADA", "Ada@Example.com", String(ada.id), String(ada.id).uppercased()] {
        let found = try #require(await ground.run(ReadNamedAccount(named: NamedAccount(name))))
        #expect(found.account.id == ada.id && found.sessions == 2 && !found.isDisabled, "\(name)")
      }
      for name in ["", "nobody", "nobody@example.com", String(bob.session), "ada'--", "\u{0}"] {
        #expect(try await ground.run(ReadNamedAccount(named: NamedAccount(name))) == nil, "\(name)")
      }
    }
  }

  @Test func `accounts are listed newest first, page by page`() async throws {
    try await Ground.with { ground in
      for number in 0..<5 { _ = try await ground.newcomer("person\(number)") }
      var names: [String] = []
      var before: AccountID?
      while true {
        let page = try await ground.run(ListAccounts(before: before, limit: 2))
        names += page.map(\.account.username)
        guard page.count == 2 else { break }
        before = page.last?.account.id
      }
      #expect(names == ["person4", "person3", "person2", "person1", "person0"])
    }
  }

  @Test func `a disabled account is out at once and for good, and can log in again when it is enabled`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let candidate = try await ground.candidate("ada")
      let named = NamedAccount("ada")
      #expect(try await ground.run(DisableAccount(named: named, stamp: stamp(ground))))
      #expect(try await ground.run(DisableAccount(named: named, stamp: stamp(ground))))
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      #expect(try await ground.run(ReadNamedAccount(named: named))?.isDisabled == true)
      #expect(try await ground.run(EnableAccount(named: named, stamp: stamp(ground))))
      #expect(try await ground.run(EnableAccount(named: named, stamp: stamp(ground))))
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil, "its sessions do not come back")
      let late = OpenSession(
        candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next())
      #expect(try await ground.run(late) == nil)
      #expect(try await ground.candidate("ada").id == ada.id)
      #expect(try await ground.found(ReadAccount(token: bob.token)).id == bob.id)
      #expect(try ground.events(.accountDisabled) == ["\(ada.id) - -"])
      #expect(try ground.events(.accountEnabled) == ["\(ada.id) - -"])
      #expect(try await ground.run(DisableAccount(named: NamedAccount("nobody"), stamp: stamp(ground))) == false)
      #expect(try await ground.run(EnableAccount(named: NamedAccount("nobody"), stamp: stamp(ground))) == false)
    }
  }

  @Test func `sessions end, also one that is just being opened, and their number is told`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await ground.anotherSession(of: ada)
      let bob = try await ground.newcomer("bob")
      let candidate = try await ground.candidate("ada")
      #expect(try await ground.run(EndNamedSessions(named: NamedAccount("ada"), stamp: stamp(ground))) == 2)
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      let late = OpenSession(
        candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next())
      #expect(try await ground.run(late) == nil)
      #expect(try await ground.run(EndNamedSessions(named: NamedAccount("ada"), stamp: stamp(ground))) == 0)
      #expect(try await ground.run(EndNamedSessions(named: NamedAccount("nobody"), stamp: stamp(ground))) == nil)
      #expect(try await ground.found(ReadAccount(token: bob.token)).id == bob.id)
      #expect(try ground.events(.sessionEnded) == ["\(ada.id) - all: 2", "\(ada.id) - all: 0"])
    }
  }

  @Test func `another password ends the sessions and tells the owner`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      try ground.addLinks()
      func set(_ name: String) async throws -> Bool {
        try await ground.run(
          SetPassword(
            named: NamedAccount(name), passwordHash: OwnershipTests.newHash, letter: ground.ids.next(),
            stamp: stamp(ground)))
      }
      #expect(try await set("ada@example.com"))
      #expect(try await set("nobody") == false)
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      #expect(try await ground.candidate("ada").passwordHash == OwnershipTests.newHash)
      #expect(try await ground.candidate("bob").passwordHash == Ground.hash)
      #expect(try await ground.found(ReadAccount(token: bob.token)).id == bob.id)
      #expect(try ground.value("select recipient from outbox where kind = 'password_changed'") == "ada@example.com")
      #expect(try ground.links(of: ada) == ["email_verification"], "it says nothing about the password")
      #expect(try ground.links(of: bob) == ["email_change", "email_verification", "password_reset"])
      #expect(try ground.events(.passwordChanged) == ["\(ada.id) - -"])
    }
  }

  @Test func `an account that is deleted leaves others' counts right`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let tweet = try await ground.post(by: bob)
      try ground.change(
        "insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(tweet), String(ada.id)])
      try ground.change("update tweet set like_count = 1")
      let statement = DeleteNamedAccount(named: NamedAccount(String(ada.id)), stamp: stamp(ground))
      #expect(try await ground.run(statement))
      #expect(try await ground.run(DeleteNamedAccount(named: NamedAccount("ada"), stamp: stamp(ground))) == false)
      #expect(try await ground.found(ReadTweet(token: bob.token, id: tweet))?.likes == 0)
      #expect(try ground.counts()["account"] == 1)
      #expect(try ground.events(.accountDeleted) == ["\(ada.id) - -"])
    }
  }
}
