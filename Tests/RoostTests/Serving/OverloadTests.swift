import RoostAPI
import TestSupport
import Testing

/// More work than a server takes on.
@Suite(.onThreads) struct OverloadTests {
  @Test func `log-ins beyond the queue are turned away at once, and reading goes on`() throws {
    let server = try TestServer(
      .fresh(), settings: ["HASH_QUEUE_MAX": "1", "LIMIT_LOGIN_ADDRESS": "0", "LIMIT_REGISTER_ADDRESS": "0"])
    let client = server.client()
    let ada = try Visitor(client).signedUp()
    let reads = Collected<Int>()
    let isDone = Collected<Bool>()
    inBackground {
      while isDone.count == 0 { reads.append((try? ada.me().status) ?? 0) }
      isDone.append(true)
    }
    let answers = try atOnce(40) { index in try Visitor(client).logIn("ghost_\(index)", "wrong horse") }
    isDone.append(true)
    #expect(eventually { isDone.count == 2 })
    let counts = answers.map(\.status).counted
    #expect(Set(counts.keys) == [401, 503], "\(counts)")
    for answer in answers where answer.status == 503 {
      try answer.problem(.overloaded)
    }
    #expect(reads.count > 5)
    #expect(reads.all.counted.keys.map(\.self) == [200], "\(reads.all.counted)")
    // Nothing is stuck.
    try Visitor(client).logIn("ghost", "wrong horse").problem(.wrongCredentials)
    try Visitor(client).register(Person()).expect(201)
  }

  @Test func `whoever is turned away when registering may try again, and nothing is half there`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database, settings: ["HASH_QUEUE_MAX": "1", "LIMIT_REGISTER_ADDRESS": "0"])
    let client = server.client()
    let people = (0..<20).map { _ in Person() }
    let answers = try atOnce(people.count) { index in try Visitor(client).register(people[index]) }
    #expect(Set(answers.map(\.status)).isSubset(of: [201, 503]))
    let made = answers.count { $0.status == 201 }
    #expect(try database.value("select count(*) from account join credential on account_id = id") == "\(made)")
    for (person, answer) in zip(people, answers) where answer.status == 503 {
      try answer.problem(.overloaded)
      try Visitor(client).register(person).expect(201)
    }
  }

  @Test func `an overload costs nobody an attempt`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database, settings: ["HASH_QUEUE_MAX": "1"])
    let person = Person()
    try Visitor(server.client()).register(person).expect(201)
    let answers = try atOnce(40) { _ in try Visitor(server.client()).logIn(person.username, person.password) }
    let counts = answers.map(\.status).counted
    #expect(Set(counts.keys) == [201, 503], "\(counts)")
    let spent = try database.rows("select rule, used from throttle where rule like 'login%' and used > 0")
    #expect(spent.isEmpty, "each success gave its attempt back, and the others never were one: \(spent)")
    // What was turned away does not count against the 20 sign-ups of an address either.
    let signUps = try atOnce(40) { _ in try Visitor(server.client()).register(Person()) }
    let made = signUps.count { $0.status == 201 }
    #expect(Set(signUps.map(\.status)).isSubset(of: [201, 503, 429]))
    let counted = try database.value("select used from throttle where rule = 'register_address'")
    #expect(counted == "\(made + 1)")
  }
}
