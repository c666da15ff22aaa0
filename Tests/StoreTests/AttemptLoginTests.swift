import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct AttemptLoginTests {
  @Test(arguments: ["ada", "ADA", "ada@example.com", "Ada@Example.COM"])
  func `an account is found by its username and by its email address, in any case`(login: String) async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await ground.newcomer("ada.example.com")
      let candidate = try await ground.candidate(login)
      #expect(candidate.id == ada.id)
      #expect(candidate.epoch == 1)
      #expect(candidate.passwordHash == Ground.hash)
    }
  }

  @Test(arguments: ["nobody", "nobody@example.com", "", "a..b", "ada@", "ada'--", "\u{0}"])
  func `a login that is nobody's has no candidate, and counts like any other`(login: String) async throws {
    try await Ground.with { ground in
      _ = try await ground.newcomer("ada")
      let attempt = ground.attempt(login, allowances: .of(address: 60, pair: 10, inARow: 100))
      guard case .allowed(nil) = try await ground.run(attempt) else {
        Issue.record("found or refused")
        return
      }
      let digest = attempt.loginDigest
      #expect(
        try ground.used() == [
          "login_account_address \(digest) 192.0.2.1": 1, "login_address 192.0.2.1": 1, "login_account \(digest)": 1,
        ])
      #expect(digest.count == 64, "the counters hold no text that somebody typed")
    }
  }

  @Test func `an account is counted under its id, by whichever name it was called`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      for login in ["ada", "ADA@example.com"] {
        #expect(
          try await ground.run(ground.attempt(login, allowances: .of(address: 60, pair: 10, inARow: 100))).isAllowed)
      }
      #expect(
        try ground.used() == [
          "login_account_address \(ada.id) 192.0.2.1": 2, "login_address 192.0.2.1": 2, "login_account \(ada.id)": 2,
        ])
    }
  }

  @Test func `a disabled account has no candidate`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change("update account set disabled_at = now()")
      guard case .allowed(nil) = try await ground.run(ground.attempt("ada", allowances: .of(pair: 10))) else {
        Issue.record("found or refused")
        return
      }
      #expect(try ground.used() == ["login_account_address \(ada.id) 192.0.2.1": 1])
    }
  }
}
