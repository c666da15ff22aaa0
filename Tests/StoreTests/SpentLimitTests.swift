import Postgres
import Store
import Testing

/// Statements that refuse say which limit it was.
@Suite struct SpentLimitTests {
  @Test func `the list of limits holds each that a statement may refuse for`() {
    let named = allStatements.flatMap { statement in
      statement.sql.matches(of: #/where rule = '(\w+)'/#).map { String($0.1) }
    }
    #expect(Set(named) == Set(SpentLimit.rules))
    #expect(SpentLimit.rules.count == Set(SpentLimit.rules).count)
  }

  @Test func `of several limits the one that lasts longest is named`() async throws {
    try await Ground.with { ground in
      func rule(_ allowances: LoginAllowances) async throws -> String? {
        let login = ground.attempt("ada", allowances: allowances)
        while true {
          if case .spent(let limit) = try await ground.run(login) { return limit.rule }
        }
      }
      #expect(try await rule(.of(address: 2)) == "login_address")
      try ground.change("delete from throttle")
      #expect(try await rule(.of(pair: 2)) == "login_account_address")
      try ground.change("delete from throttle")
      #expect(try await rule(.of(inARow: 2)) == "login_account")
      try ground.change("delete from throttle")
      // The wait of a minute ends long before the quarter of an hour.
      #expect(try await rule(.of(pair: 2, inARow: 2)) == "login_account_address")
    }
  }
}
