import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct EndSessionsTests {
  private func endOne(_ id: SessionID, by person: Ground.Person, _ ground: Ground) async throws -> Bool {
    try await ground.found(EndOneSession(token: person.token, id: id, stamp: ground.stamp))
  }

  @Test func `one session ends, at once and alone`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let phone = try await ground.anotherSession(of: ada)
      let tablet = try await ground.anotherSession(of: ada)
      #expect(try await endOne(phone.session, by: ada, ground))
      #expect(try await ground.run(ReadAccount(token: phone.token)) == nil)
      #expect(try await ground.found(ReadAccount(token: tablet.token)).id == ada.id)
      #expect(try await endOne(phone.session, by: ada, ground) == false)
      #expect(try await endOne(ada.session, by: ada, ground), "also the one that asks")
      #expect(try await ground.run(ReadAccount(token: ada.token)) == nil)
      #expect(try ground.events(.sessionEnded) == ["\(ada.id) 192.0.2.1 -", "\(ada.id) 192.0.2.1 -"])
    }
  }

  @Test func `another's session, and one that is over, is none`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let expired = try await ground.anotherSession(of: ada)
      try ground.change("update session set expires_at = now() where id = $1", [String(expired.session)])
      let old = try await ground.anotherSession(of: ada)
      try ground.change("update session set epoch = 0 where id = $1", [String(old.session)])
      for id in [bob.session, expired.session, old.session, ground.ids.next()] {
        #expect(try await endOne(id, by: ada, ground) == false)
      }
      #expect(try await ground.found(ReadAccount(token: bob.token)).id == bob.id)
      #expect(try ground.counts()["session"] == 4)
      #expect(try ground.events(.sessionEnded) == [])
    }
  }

  @Test func `all others end, and no one else's`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      for _ in 0..<3 { _ = try await ground.anotherSession(of: ada) }
      let expired = try await ground.anotherSession(of: ada)
      try ground.change("update session set expires_at = now() where id = $1", [String(expired.session)])
      #expect(try await ground.found(EndOtherSessions(token: ada.token, stamp: ground.stamp)) == 3)
      #expect(try await ground.found(ListSessions(token: ada.token)).map(\.id) == [ada.session])
      #expect(try await ground.found(ReadAccount(token: bob.token)).id == bob.id)
      #expect(try ground.counts()["session"] == 2)
      #expect(try await ground.found(EndOtherSessions(token: ada.token, stamp: ground.stamp)) == 0)
      #expect(try ground.events(.sessionEnded) == ["\(ada.id) 192.0.2.1 all others: 3"])
    }
  }
}
