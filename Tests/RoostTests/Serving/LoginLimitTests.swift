import Postgres
import RoostAPI
import TestSupport
import Testing

/// How often a log-in may fail: counted by all nodes together, exactly.
@Suite(.onThreads) struct LoginLimitTests {
  private static let proxied = ["TRUSTED_PROXIES": "127.0.0.0/8"]
  private static let home = "203.0.113.7"
  private static let attacker = "198.51.100.9"

  @Test func `one account has ten tries from one address, over three nodes and at once`() throws {
    let nodes = try Nodes(3)
    let person = Person()
    try nodes.visitor().register(person).expect(201)
    let answers = try atOnce(30) { index in
      // By email or username, in any case: all of it is one account.
      let logins = [person.username, person.email, person.username.inMixedCase, person.email.inMixedCase]
      return try nodes.visitor(index).logIn(logins[index % 4], "wrong \(index)")
    }
    #expect(answers.map(\.status).counted == [401: 10, 429: 20], "\(nodes.lastWords)")
    for answer in answers {
      if answer.status == 429 {
        try answer.problem(.tooManyRequests)
        #expect(try #require(answer["Retry-After"].flatMap { Int($0) }) <= 15 * 60)
      } else {
        try answer.problem(.wrongCredentials)
      }
    }
    let late = try nodes.visitor(1).logIn(person.email, person.password)
    try late.problem(.tooManyRequests)
    #expect((14 * 60...15 * 60).contains(try #require(late["Retry-After"].flatMap { Int($0) })))
    // The limit is the account's: somebody else may still log in from there.
    let neighbour = Person("bea")
    try nodes.visitor(2).register(neighbour).expect(201)
    try nodes.visitor(2).logIn(neighbour.username, neighbour.password).expect(201)
  }

  @Test func `a login that is nobody's has ten tries too`() throws {
    let nodes = try Nodes(3)
    for login in [Person("ghost").username, Person("ghost").email] {
      let answers = try atOnce(15) { index in
        try nodes.visitor(index).logIn(index.isMultiple(of: 2) ? login : login.inMixedCase, "wrong \(index)")
      }
      #expect(answers.map(\.status).counted == [401: 10, 429: 5], "\(nodes.lastWords)")
    }
  }

  @Test func `one address has sixty tries at whatever accounts`() throws {
    let nodes = try Nodes(3)
    let answers = try atOnce(72) { index in try nodes.visitor(index).logIn("ghost_\(index)", "wrong horse") }
    #expect(answers.map(\.status).counted == [401: 60, 429: 12], "\(nodes.lastWords)")
    try nodes.visitor().logIn("somebody_else", "wrong horse").problem(.tooManyRequests)
    #expect(try nodes.database.value("select sum(used) from throttle where rule = 'login_address'") == "60")
  }

  @Test func `a success gives the tries back`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    try nodes.visitor().register(person).expect(201)
    for index in 0..<9 { try nodes.visitor(index).logIn(person.username, "wrong").problem(.wrongCredentials) }
    try nodes.visitor().logIn(person.email, person.password).expect(201)
    for index in 0..<10 { try nodes.visitor(index).logIn(person.username, "wrong").problem(.wrongCredentials) }
    try nodes.visitor().logIn(person.username, person.password).problem(.tooManyRequests)
    // Only the failures are left on the address.
    #expect(try nodes.database.value("select used from throttle where rule = 'login_address'") == "19")
  }

  @Test func `many good log-ins at once are all let in`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    try nodes.visitor().register(person).expect(201)
    for _ in 0..<6 {
      let answers = try atOnce(9) { index in try nodes.visitor(index).logIn(person.username, person.password) }
      #expect(answers.map(\.status).counted == [201: 9], "\(nodes.lastWords)")
    }
    #expect(try nodes.database.value("select coalesce(sum(used), 0) from throttle where rule like 'login%'") == "0")
  }

  @Test func `an attacker at one address does not lock the owner out at another`() throws {
    let nodes = try Nodes(2, settings: Self.proxied)
    let person = Person()
    try nodes.visitor(at: Self.home).register(person).expect(201)
    for index in 0..<10 {
      try nodes.visitor(index, at: Self.attacker).logIn(person.email, "wrong").problem(.wrongCredentials)
    }
    try nodes.visitor(at: Self.attacker).logIn(person.email, person.password).problem(.tooManyRequests)
    try nodes.visitor(at: Self.home).logIn(person.email, person.password).expect(201)
    // What the owner does at home frees nobody else.
    try nodes.visitor(1, at: Self.attacker).logIn(person.email, person.password).problem(.tooManyRequests)
  }

  @Test func `attackers at many addresses wait a minute between tries, and the owner at home does not`() throws {
    let nodes = try Nodes(2, settings: Self.proxied.merging(["LIMIT_LOGIN_ACCOUNT": "6"]) { $1 })
    let person = Person()
    try nodes.visitor(at: Self.home).register(person).expect(201)
    let answers = try atOnce(12) { index in
      try nodes.visitor(index, at: "198.51.100.\(index + 1)").logIn(person.username, "wrong")
    }
    #expect(answers.map(\.status).counted == [401: 6, 429: 6], "\(nodes.lastWords)")
    let next = try nodes.visitor(at: "198.51.100.77").logIn(person.username, person.password)
    try next.problem(.tooManyRequests)
    #expect((1...60).contains(try #require(next["Retry-After"].flatMap { Int($0) })))
    try nodes.visitor(at: Self.home).logIn(person.username, person.password).expect(201)
  }

  @Test func `addresses of IPv6 count by their first 64 bits`() throws {
    let nodes = try Nodes(2, settings: Self.proxied)
    let person = Person()
    try nodes.visitor(at: Self.home).register(person).expect(201)
    for index in 1...10 {
      try nodes.visitor(index, at: "2001:db8:1:2:\(index)::\(index)").logIn(person.email, "wrong")
        .problem(.wrongCredentials)
    }
    try nodes.visitor(at: "2001:db8:1:2:ffff::1").logIn(person.email, "wrong").problem(.tooManyRequests)
    try nodes.visitor(at: "2001:DB8:1:2::").logIn(person.email, person.password).problem(.tooManyRequests)
    try nodes.visitor(at: "2001:db8:1:3::1").logIn(person.email, "wrong").problem(.wrongCredentials)
    #expect(
      try nodes.database.rows("select subject, used from throttle where rule = 'login_address' order by 1")
        == [["2001:db8:1:2::/64", "10"], ["2001:db8:1:3::/64", "1"]])
  }

  @Test func `without trusted proxies nobody chooses an address`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    try nodes.visitor().register(person).expect(201)
    for index in 0..<10 {
      try nodes.visitor(index, at: "198.51.100.\(index)").logIn(person.email, "wrong").problem(.wrongCredentials)
    }
    try nodes.visitor(at: "198.51.100.200").logIn(person.email, "wrong").problem(.tooManyRequests)
    let subjects = try nodes.database.rows("select subject from throttle where rule = 'login_address'")
    #expect(subjects == [["127.0.0.1"]])
  }

  @Test func `behind trusted proxies the right-most address that is none counts`() throws {
    let nodes = try Nodes(1, settings: ["TRUSTED_PROXIES": "127.0.0.0/8,10.0.0.0/8"])
    for forged in ["1.1.1.1, \(Self.attacker)", "\(Self.attacker), 10.1.2.3", "nonsense, \(Self.attacker), 10.0.0.1"] {
      try nodes.visitor(at: forged).logIn("ghost", "wrong").problem(.wrongCredentials)
    }
    let counts = try nodes.database.rows("select subject, used from throttle where rule = 'login_address'")
    #expect(counts == [[Self.attacker, "3"]])
  }
}
