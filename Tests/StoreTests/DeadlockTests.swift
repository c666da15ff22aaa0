import Postgres
import Store
import TestSupport
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct DeadlockTests {
  @Test func `two hundred log-ins and tweets in a crowd never wait for each other in a circle`() async throws {
    let database = try TestDatabase.fresh()
    var limits = Pool.Limits.patient
    limits.writeConnections = 16
    try await TestPool.open(database.target, limits: limits) { lent in
      let ground = Ground(database: database, pool: lent.pool)
      var people: [Ground.Person] = []
      for index in 0..<4 { people.append(try await ground.newcomer("name\(index)")) }
      let crowd = people
      let addresses = (1...3).map { ClientAddress("203.0.113.\($0)")! }
      let allowances = LoginAllowances.of(address: 10_000, pair: 10_000, inARow: 10_000)
      _ = try await parallel(200) { index in
        let person = crowd[index % 4]
        let address = addresses[index % 3]
        let login = index % 2 == 0 ? person.username : "\(person.username)@example.com"
        guard
          case .allowed(let candidate?) = try await ground.run(
            ground.attempt(login, from: address, allowances: allowances))
        else { throw Ground.NobodySignedIn() }
        if index % 5 == 0 { return }
        let session = ground.session(from: address)
        let opened = try await ground.run(
          OpenSession(candidate: candidate, session: session, newHash: Ground.hash, event: ground.ids.next()))
        #expect(opened != nil)
        let me = Ground.Person(id: person.id, username: person.username, session: session.id, token: session.token)
        let id = try await ground.post("tweet \(index)", by: me)
        if index % 3 == 0 { _ = try await ground.found(DeleteTweet(token: me.token, id: id)) }
        if index % 7 == 0 { _ = try await ground.run(EndSession(token: me.token, stamp: ground.stamp)) }
      }
      #expect(
        try ground.value(
          "select bool_and(tweet_count = (select count(*) from tweet where author_id = account.id)) from account")
          == "t")
    }
    #expect(try await database.deadlocks() == "0")
  }
}

extension TestDatabase {
  /// How many circles of waiting the server has found, once nobody is connected any more.
  ///
  /// The pool runs a victim again, so that nobody notices; but the server counts it, when the connection ends at last.
  func deadlocks() async throws -> String? {
    let server = try BlockingConnection(TestCluster.target())
    while try server.value("select count(*) from pg_stat_activity where datname = $1", [name]) != "0" {
      try await Task.sleep(for: .milliseconds(20))
    }
    return try server.value("select deadlocks from pg_stat_database where datname = $1", [name])
  }
}
