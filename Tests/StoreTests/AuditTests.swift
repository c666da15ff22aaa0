import Postgres
import Store
import Testing
import Values

/// Actions and their events are one: neither is there without the other.
@Suite(.timeLimit(.minutes(5))) struct AuditTests {
  @Test func `log-ins and sign-outs are noted, with whom, when and whence`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let phone = try await ground.anotherSession(of: ada, from: Ground.away)
      #expect(try ground.events(.loggedIn) == ["\(ada.id) 198.51.100.7 -"])
      #expect(try await ground.run(EndSession(token: phone.token, stamp: ground.stamp)))
      #expect(try await ground.run(EndSession(token: phone.token, stamp: ground.stamp)) == false)
      #expect(try ground.events(.signedOut) == ["\(ada.id) 192.0.2.1 -"])
      #expect(
        try ground.value("select bool_and(created_at between now() - interval '1 minute' and now()) from audit_event")
          == "t")
    }
  }

  @Test func `a log-in that comes too late is no event`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      let candidate = try await ground.candidate("ada")
      try ground.change("update account set session_epoch = 2")
      let statement = OpenSession(
        candidate: candidate, session: ground.session(), newHash: nil, event: ground.ids.next())
      #expect(try await ground.run(statement) == nil)
      #expect(try ground.events(.loggedIn) == [])
    }
  }

  @Test func `a failed log-in is noted for the account, or for nobody`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try await ground.run(NoteFailedLogin(account: ada.id, stamp: ground.stamp))
      try await ground.run(NoteFailedLogin(account: nil, stamp: ground.stamp))
      #expect(try ground.events(.logInFailed) == ["\(ada.id) 192.0.2.1 -", "- 192.0.2.1 -"])
    }
  }

  @Test func `events outlive their account and cannot be changed`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try await ground.run(NoteFailedLogin(account: ada.id, stamp: ground.stamp))
      try ground.change("delete from account")
      #expect(try ground.events(.logInFailed) == ["\(ada.id) 192.0.2.1 -"])
      #expect(throws: PostgresError.self) { try ground.change("update audit_event set ip = null") }
      #expect(try ground.events(.logInFailed) == ["\(ada.id) 192.0.2.1 -"])
    }
  }

  @Test func `every kind has the form that the table wants`() throws {
    for kind in AuditKind.allCases {
      #expect(kind.rawValue.wholeMatch(of: #/[a-z][a-z_]{2,49}/#) != nil)
    }
    #expect(Set(AuditKind.allCases.map(\.rawValue)).count == AuditKind.allCases.count)
  }
}
