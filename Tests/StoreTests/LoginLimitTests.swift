import Store
import Testing
import Values

/// The three limits of ``AttemptLogin``: for an account from one address, for an address, for an account.
@Suite(.timeLimit(.minutes(5))) struct LoginLimitTests {
  static let addresses = (1...250).map { ClientAddress("203.0.113.\($0)")! }

  @Test(arguments: ["ada", "nobody"])
  func `ten attempts at one account from one address, known or not`(login: String) async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada", from: Ground.away)
      let attempt = ground.attempt(login, allowances: .of(address: 60, pair: 10, inARow: 100))
      for _ in 0..<10 { #expect(try await ground.run(attempt).isAllowed) }
      for _ in 0..<3 {
        #expect(try await ground.run(attempt).retryAfterSeconds.map { (600...900).contains($0) } == true)
      }
      #expect(try Set(ground.used().values) == [10], "refused attempts count nowhere")
      let elsewhere = ground.attempt(login, from: Ground.away, allowances: attempt.allowances)
      #expect(try await ground.run(elsewhere).isAllowed, "who attacks from one address does not lock out another")
    }
  }

  @Test func `as many attempts from one address as allowed, at whichever accounts`() async throws {
    try await Ground.with { ground in
      let allowances = LoginAllowances.of(address: 5, pair: 10, inARow: 100)
      for index in 0..<5 {
        #expect(try await ground.run(ground.attempt("name\(index)", allowances: allowances)).isAllowed)
      }
      let before = try ground.used()
      #expect(before["login_address 192.0.2.1"] == 5)
      for login in ["name0", "name5"] {
        let refused = try await ground.run(ground.attempt(login, allowances: allowances))
        #expect(refused.retryAfterSeconds.map { (600...900).contains($0) } == true)
      }
      #expect(try ground.used() == before, "refused attempts count nowhere")
      let elsewhere = try await ground.run(ground.attempt("name0", from: Ground.away, allowances: allowances))
      #expect(elsewhere.isAllowed)
    }
  }

  @Test func `an attempt that the account's limit refuses leaves the address its own`() async throws {
    try await Ground.with { ground in
      let allowances = LoginAllowances.of(address: 60, pair: 2, inARow: 100)
      for _ in 0..<5 { _ = try await ground.run(ground.attempt("ada", allowances: allowances)) }
      #expect(try ground.used()["login_address 192.0.2.1"] == 2)
      #expect(try await ground.run(ground.attempt("bob", allowances: allowances)).isAllowed)
    }
  }

  @Test func `the longest wait of several limits is the one that is told`() async throws {
    try await Ground.with { ground in
      let allowances = LoginAllowances.of(address: 1, pair: 1, inARow: 1)
      _ = try await ground.run(ground.attempt("ada", allowances: allowances))
      try ground.change("update throttle set resets_at = now() + interval '100 s' where rule = 'login_account_address'")
      try ground.change("update throttle set resets_at = now() + interval '700 s' where rule = 'login_address'")
      let refused = try await ground.run(ground.attempt("ada", allowances: allowances))
      #expect(refused.retryAfterSeconds.map { (600...700).contains($0) } == true)
    }
  }

  @Test func `after so many in a row from everywhere, one attempt a minute is left`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada", from: Ground.home)
      func attempt(_ index: Int) async throws -> Counted<LoginCandidate?> {
        try await ground.run(
          ground.attempt("ada", from: Self.addresses[index], allowances: .of(address: 60, pair: 10, inARow: 100)))
      }
      for index in 0..<100 { #expect(try await attempt(index).isAllowed) }
      #expect(try await attempt(100).retryAfterSeconds.map { (1...60).contains($0) } == true)
      #expect(try ground.used()["login_account \(ada.id)"] == 100)

      try ground.change("update throttle set last_used_at = now() - interval '61 s' where rule = 'login_account'")
      #expect(try await attempt(101).isAllowed)
      #expect(try await attempt(102).retryAfterSeconds.map { (1...60).contains($0) } == true)
      #expect(try ground.used()["login_account \(ada.id)"] == 101)
    }
  }

  @Test func `of a hundred at once in that minute one gets through`() async throws {
    try await Ground.with(writers: 16) { ground in
      for index in 0..<3 {
        _ = try await ground.run(ground.attempt("ada", from: Self.addresses[index], allowances: .of(inARow: 3)))
      }
      try ground.change("update throttle set last_used_at = now() - interval '61 s'")
      let answers = try await parallel(100) { index in
        try await ground.run(ground.attempt("ada", from: Self.addresses[index], allowances: .of(inARow: 3)))
      }
      #expect(answers.count(where: \.isAllowed) == 1)
    }
  }

  @Test func `who is at home is not shut out by attempts from elsewhere`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada", from: ClientAddress("2001:db8:0:1::1")!)
      func isAllowed(from text: String) async throws -> Bool {
        try await ground.run(
          ground.attempt("ada", from: ClientAddress(text)!, allowances: .of(address: 60, pair: 10, inARow: 5))
        ).isAllowed
      }
      for index in 0..<5 { _ = try await isAllowed(from: Self.addresses[index].description) }
      #expect(try await !isAllowed(from: "198.51.100.7"))
      #expect(try await isAllowed(from: "2001:db8:0:1::2"), "an address of the same network")
      #expect(try await !isAllowed(from: "2001:db8:0:2::1"))

      try ground.change("update session set expires_at = now() - interval '1 s'")
      #expect(try await !isAllowed(from: "2001:db8:0:1::1"), "the session is over")
      try ground.change("update session set expires_at = now() + interval '1 day'")
      #expect(try await isAllowed(from: "2001:db8:0:1::1"))
      try ground.change("update account set session_epoch = 2")
      #expect(try await !isAllowed(from: "2001:db8:0:1::1"), "the session was ended with all others")
      #expect(ada.username == "ada")
    }
  }

  @Test func `who is at home still has only so many attempts`() async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada", from: Ground.home)
      let attempt = ground.attempt("ada", allowances: .of(address: 60, pair: 10, inARow: 5))
      for _ in 0..<10 { #expect(try await ground.run(attempt).isAllowed) }
      #expect(try await !ground.run(attempt).isAllowed)
    }
  }

  @Test func `a window that is over begins anew`() async throws {
    try await Ground.with { ground in
      let attempt = ground.attempt("ada", allowances: .of(address: 2, pair: 2, inARow: 100))
      for _ in 0..<2 { #expect(try await ground.run(attempt).isAllowed) }
      #expect(try await !ground.run(attempt).isAllowed)
      try ground.change("update throttle set resets_at = now() - interval '1 s'")
      #expect(try await ground.run(attempt).isAllowed)
      #expect(try Set(ground.used().values) == [1])
      #expect(try ground.value("select bool_and(resets_at > now() + interval '14 minutes') from throttle") == "t")
    }
  }

  @Test(arguments: [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)])
  func `a limit of nothing is none, and counts nothing`(address: Int, pair: Int, inARow: Int) async throws {
    try await Ground.with { ground in
      let attempt = ground.attempt("ada", allowances: .of(address: address, pair: pair, inARow: inARow))
      var allowed = 0
      for _ in 0..<4 where try await ground.run(attempt).isAllowed { allowed += 1 }
      #expect(allowed == (address + pair + inARow == 0 ? 4 : 2))
      #expect(try ground.used().count == (address + pair + inARow == 0 ? 0 : 1))
    }
  }

  @Test func `of two hundred attempts at once exactly ten get through`() async throws {
    try await Ground.with(writers: 16) { ground in
      _ = try await ground.newcomer("ada")
      let attempt = ground.attempt("ada", allowances: .of(address: 60, pair: 10, inARow: 100))
      let answers = try await parallel(200) { _ in try await ground.run(attempt) }
      #expect(answers.count(where: \.isAllowed) == 10)
      #expect(try Set(ground.used().values) == [10])
    }
  }

  @Test func `of two hundred attempts at once from one address, at as many accounts, exactly sixty get through`()
    async throws
  {
    try await Ground.with(writers: 16) { ground in
      let answers = try await parallel(200) { index in
        try await ground.run(ground.attempt("name\(index)", allowances: .of(address: 60, pair: 10, inARow: 100)))
      }
      #expect(answers.count(where: \.isAllowed) == 60)
      let used = try ground.used()
      #expect(used["login_address 192.0.2.1"] == 60)
      #expect(used.count { $0.key.hasPrefix("login_account ") } == 60)
    }
  }
}
