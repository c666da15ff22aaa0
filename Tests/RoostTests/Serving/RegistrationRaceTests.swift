import Postgres
import RoostAPI
import TestSupport
import Testing

@Suite(.onThreads) struct RegistrationRaceTests {
  @Test func `of a hundred who want one name at once, one gets it and the others hear that it is taken`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database, settings: ["LIMIT_REGISTER_ADDRESS": "0", "DATABASE_TIMEOUT_MILLISECONDS": "20000"])
    let client = server.client(timeoutMilliseconds: 60_000)
    let name = Person("race").username
    let answers = try atOnce(100) { index in
      var person = Person()
      person.username = index.isMultiple(of: 2) ? name : name.inMixedCase
      return try Visitor(client).register(person)
    }
    #expect(answers.map(\.status).counted == [201: 1, 409: 99], "\(server.lastWords)")
    for answer in answers where answer.status == 409 {
      let problem = try answer.problem(.taken)
      #expect(problem.errors?.map(\.field) == ["username"])
      #expect(problem.errors?.first?.knownCode == .taken)
    }
    let counts = try database.rows(
      "select (select count(*) from account), (select count(*) from credential), (select count(*) from session)")
    #expect(counts == [["1", "1", "1"]])
    #expect(try database.value("select username from account") == name)
    let winner = try #require(answers.first { $0.status == 201 }).decoded(SignedIn.self)
    try Visitor(client, token: winner.session.token).me().expect(200)
  }

  @Test func `of fifty who want one address at once, one gets it`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(
      database, settings: ["LIMIT_REGISTER_ADDRESS": "0", "DATABASE_TIMEOUT_MILLISECONDS": "20000"])
    let client = server.client(timeoutMilliseconds: 60_000)
    let email = Person("race").email
    let answers = try atOnce(50) { index in
      var person = Person()
      person.email = index.isMultiple(of: 2) ? email : email.inMixedCase
      return try Visitor(client).register(person)
    }
    #expect(answers.map(\.status).counted == [201: 1, 409: 49], "\(server.lastWords)")
    for answer in answers where answer.status == 409 {
      #expect(try answer.problem(.taken).errors?.map(\.field) == ["email"])
    }
    #expect(try database.value("select count(*) from account") == "1")
  }
}
