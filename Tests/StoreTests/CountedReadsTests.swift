import Store
import Testing
import Values

/// The two questions that are counted against the address that asks.
@Suite(.timeLimit(.minutes(5))) struct CountedReadsTests {
  static let allowance = Allowance(max: 20, seconds: 3_600)

  func begin(
    _ username: String, _ email: String, from address: ClientAddress = Ground.home, _ allowance: Allowance = allowance
  ) throws -> BeginSignUp {
    BeginSignUp(
      username: try Username(username), email: try EmailAddress(email), address: address, allowance: allowance)
  }

  func check(
    _ username: String, from address: ClientAddress = Ground.home, _ allowance: Allowance = allowance
  ) throws -> CheckUsername {
    CheckUsername(username: try Username(existing: username), address: address, allowance: allowance)
  }

  @Test func `a sign-up hears which of its names are taken`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      let cases = [
        ("ada", "new@example.com", true, false), ("new", "ADA@example.COM", false, true),
        ("ada", "ada@example.com", true, true), ("new", "new@example.com", false, false),
      ]
      for (username, email, isNameTaken, isEmailTaken) in cases {
        guard case .allowed(let taken) = try await ground.run(begin(username, email)) else {
          Issue.record("\(username) was refused")
          continue
        }
        #expect(taken.username == isNameTaken && taken.email == isEmailTaken, "\(username) \(email)")
      }
      #expect(try ground.used() == ["register_address 192.0.2.1": 4])
      #expect(try ground.counts()["account"] == 1)
    }
  }

  @Test func `a username is taken or free`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      guard case .allowed(true) = try await ground.run(check("ADA")),
        case .allowed(false) = try await ground.run(check("bob"))
      else {
        Issue.record("wrong")
        return
      }
      #expect(try ground.used() == ["usernames_address 192.0.2.1": 2])
    }
  }

  @Test func `of two hundred sign-ups at once exactly twenty get through`() async throws {
    try await Ground.with(writers: 16) { ground in
      let answers = try await parallel(200) { index in
        try await ground.run(begin("name\(index)", "mail\(index)@example.com"))
      }
      #expect(answers.count(where: \.isAllowed) == 20)
      let waits = answers.compactMap(\.retryAfterSeconds)
      #expect(waits.count == 180)
      #expect(waits.allSatisfy { (1...3_600).contains($0) })
      #expect(try ground.used() == ["register_address 192.0.2.1": 20])
      #expect(try await ground.run(begin("one.more", "one@example.com")).retryAfterSeconds ?? 0 > 3_000)
      #expect(try ground.used() == ["register_address 192.0.2.1": 20])
    }
  }

  @Test func `of two hundred questions at once exactly as many as allowed are answered`() async throws {
    try await Ground.with(writers: 16) { ground in
      let allowance = Allowance(max: 120, seconds: 60)
      let answers = try await parallel(200) { index in try await ground.run(check("name\(index)", allowance)) }
      #expect(answers.count(where: \.isAllowed) == 120)
      #expect(try ground.used() == ["usernames_address 192.0.2.1": 120])
    }
  }

  @Test func `addresses are counted apart, those of one IPv6 network together`() async throws {
    try await Ground.with { (ground) async throws in
      let one = Allowance(max: 1, seconds: 60)
      for text in ["192.0.2.1", "192.0.2.2", "2001:db8:0:1::1", "2001:db8:0:2::1"] {
        #expect(try await ground.run(check("bob", from: ClientAddress(text)!, one)).isAllowed, "\(text)")
      }
      for text in ["192.0.2.1", "::ffff:192.0.2.2", "2001:db8:0:1:ffff::9"] {
        #expect(try await !ground.run(check("bob", from: ClientAddress(text)!, one)).isAllowed, "\(text)")
      }
    }
  }

  @Test func `a window that is over begins anew`() async throws {
    try await Ground.with { ground in
      let one = Allowance(max: 1, seconds: 3_600)
      func wait() async throws -> Int { try await ground.run(check("bob", one)).retryAfterSeconds ?? 0 }
      #expect(try await wait() == 0)
      #expect((3_000...3_600).contains(try await wait()))
      try ground.change("update throttle set resets_at = now() + interval '100 s'")
      #expect((1...100).contains(try await wait()))
      try ground.change("update throttle set resets_at = now()")
      #expect(try await wait() == 0)
      #expect(try ground.used() == ["usernames_address 192.0.2.1": 1])
      #expect((3_000...3_600).contains(try await wait()))
    }
  }

  @Test func `a limit of nothing is none, and counts nothing`() async throws {
    try await Ground.with { (ground) async throws in
      for _ in 0..<3 {
        #expect(try await ground.run(check("bob", Ground.unlimited)).isAllowed)
        #expect(try await ground.run(begin("bob", "bob@example.com", Ground.unlimited)).isAllowed)
      }
      #expect(try ground.used() == [:])
    }
  }
}
