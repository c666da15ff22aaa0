import Postgres
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct ChangeProfileTests {
  private func change(
    _ person: Ground.Person, username: String? = nil, fullName: ChangeProfile.Change<FullName> = .stays,
    bio: ChangeProfile.Change<Bio> = .stays, _ ground: Ground
  ) throws -> ChangeProfile {
    ChangeProfile(
      token: person.token, username: try username.map { (text) in try Username(text) }, fullName: fullName, bio: bio,
      stamp: ground.stamp)
  }

  @Test func `what is given changes, and nothing else`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let others = try ground.rows("select * from account where username = 'bob'")
      func found(_ statement: ChangeProfile) async throws -> AccountRow {
        guard case .changed(let account) = try await ground.found(statement) else { throw Ground.NameTaken() }
        #expect(try await ground.found(ReadAccount(token: ada.token)) == account)
        return account
      }
      var account = try await found(
        change(ada, fullName: .becomes(FullName("Ada L.")), bio: .becomes(Bio("Poetical\nscience.")), ground))
      #expect(account.fullName == "Ada L." && account.bio == "Poetical\nscience." && account.username == "ada")
      account = try await found(change(ada, username: "Countess", ground))
      #expect(account.fullName == "Ada L." && account.bio == "Poetical\nscience." && account.username == "countess")
      account = try await found(change(ada, fullName: .becomes(nil), ground))
      #expect(account.fullName == nil && account.bio == "Poetical\nscience." && account.username == "countess")
      account = try await found(change(ada, bio: .becomes(nil), ground))
      #expect(account.bio == nil && account.email == "ada@example.com")
      _ = try await found(change(ada, ground))
      _ = try await found(change(ada, username: "COUNTESS", ground))
      #expect(
        try ground.events(.profileChanged) == [
          "\(ada.id) 192.0.2.1 fullName, bio", "\(ada.id) 192.0.2.1 username ada to countess",
          "\(ada.id) 192.0.2.1 fullName", "\(ada.id) 192.0.2.1 bio",
        ], "what changes nothing is no event")
      #expect(try ground.rows("select * from account where username = 'bob'") == others)
      #expect(try await ground.found(ReadAccount(token: bob.token)).username == "bob")
    }
  }

  @Test func `a username that is taken changes nothing`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await ground.newcomer("bob")
      let statement = try change(ada, username: "BOB", fullName: .becomes(FullName("Bob")), ground)
      #expect(try await ground.found(statement) == .taken)
      let account = try await ground.found(ReadAccount(token: ada.token))
      #expect(account.username == "ada" && account.fullName == nil)
      #expect(try ground.events(.profileChanged) == [])
    }
  }

  @Test func `the old username is free at once, and tweets show the new one`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let tweet = try await ground.post(by: ada)
      _ = try await ground.found(change(ada, username: "countess", ground))
      #expect(try await ground.found(ReadTweet(token: ada.token, id: tweet))?.author.username == "countess")
      let other = try await ground.run(ground.signUp("ada", email: "other@example.com", ground.session()))
      guard case .signedUp = other else {
        Issue.record("\(other)")
        return
      }
      let back = try change(ada, username: "ada", ground)
      #expect(try await ground.found(back) == .taken)
    }
  }

  @Test func `of many who want one username at once, one gets it`() async throws {
    try await Ground.with { ground in
      var people: [Ground.Person] = []
      for number in 0..<12 { people.append(try await ground.newcomer("person\(number)")) }
      let statements = try people.map { try change($0, username: "grace", ground) }
      let outcomes = try await parallel(12) { index in
        do throws(PostgresError) {
          guard let viewed = try await ground.pool.run(statements[index]) else { return "signed out" }
          return viewed.found == .taken ? "taken" : "changed"
        } catch {
          guard case .rejected("23505", _, "account_username_key") = error else { return "\(error)" }
          return "taken"
        }
      }
      #expect(outcomes.sorted() == ["changed"] + Array(repeating: "taken", count: 11))
      #expect(try ground.value("select count(*) from account where username = 'grace'") == "1")
      #expect(try ground.events(.profileChanged).count == 1)
    }
  }

  @Test func `two changes of one account at once are both kept`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let name = try change(ada, fullName: .becomes(FullName("Ada")), ground)
      let bio = try change(ada, bio: .becomes(Bio("Science")), ground)
      _ = try await parallel(2) { index in try await ground.found(index == 0 ? name : bio) }
      let account = try await ground.found(ReadAccount(token: ada.token))
      #expect(account.fullName == "Ada" && account.bio == "Science")
    }
  }
}
