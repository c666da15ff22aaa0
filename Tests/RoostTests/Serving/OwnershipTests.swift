import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Changing the password and deleting the account: a session alone is not enough.
@Suite(.onThreads) struct OwnershipTests {
  @Test func `a new password ends all other sessions, and the old one is no good anywhere`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let phone = try nodes.visitor(1).loggedIn(person)
    try ada.changePassword(from: person.password, to: "a loom of algebra").expect(204)
    try nodes.visitor(1).with(token: ada.token).me().expect(200)
    try phone.me().problem(.signedOut)
    try nodes.visitor(1).logIn(person.username, person.password).problem(.wrongCredentials)
    try nodes.visitor(1).logIn(person.email, "a loom of algebra").expect(201)
    #expect(
      try nodes.database.rows("select recipient from outbox where kind = 'password_changed'") == [[person.email]])
    #expect(try nodes.database.value("select count(*) from audit_event where kind = 'password_changed'") == "1")
  }

  @Test func `a wrong password counts like a log-in that failed, and changes nothing`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let other = nodes.visitor(1).with(token: ada.token)
    for index in 0..<5 {
      try (index.isMultiple(of: 2) ? ada : other).changePassword(from: "wrong \(index)", to: "a loom of algebra")
        .problem(.wrongPassword)
      try nodes.visitor(index).deleteMe("wrong \(index)", token: ada.token).problem(.wrongPassword)
    }
    try ada.changePassword(from: person.password, to: "a loom of algebra").problem(.tooManyRequests)
    try other.deleteMe(person.password).problem(.tooManyRequests)
    try nodes.visitor().logIn(person.username, person.password).problem(.tooManyRequests)
    try ada.me().expect(200)
    #expect(try nodes.database.value("select count(*) from audit_event where kind = 'log_in_failed'") == "10")
  }

  @Test func `a success gives the tries back`() throws {
    let nodes = try Nodes(1)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    for index in 0..<9 {
      try ada.changePassword(from: "wrong \(index)", to: "a loom of algebra").problem(.wrongPassword)
    }
    try ada.changePassword(from: person.password, to: "a loom of algebra").expect(204)
    for index in 0..<9 {
      try ada.changePassword(from: "wrong \(index)", to: "a loom of algebra").problem(.wrongPassword)
    }
    try ada.deleteMe("a loom of algebra").expect(204)
  }

  @Test func `a new password keeps the rules, and is refused before the old one is looked at`() throws {
    let nodes = try Nodes(1)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    for (new, code) in [
      ("short", "too_short"), (String(repeating: "x", count: 1_025), "too_long"), ("password123", "common"),
    ] {
      let problem = try ada.changePassword(from: "wrong", to: new).problem(.invalidFields)
      #expect(problem.errors?.map { "\($0.field) \($0.code)" } == ["newPassword \(code)"])
    }
    let empty = try ada.send(
      "PUT", "/v1/me/password", headers: [("Content-Type", "application/json")], body: Array("{}".utf8))
    #expect(try empty.problem(.invalidFields).errors?.map(\.field) == ["currentPassword", "newPassword"])
    #expect(try nodes.database.value("select count(*) from throttle where rule like 'login%'") == "0")
    for new in [person.username.uppercased(), person.email] {
      let problem = try ada.changePassword(from: person.password, to: new).problem(.invalidFields)
      #expect(problem.errors?.map { "\($0.field) \($0.code)" } == ["newPassword same_as_login"])
      #expect(
        try nodes.database.value("select coalesce(sum(used), 0) from throttle where rule like 'login%'") == "0",
        "the old one was right")
    }
    try ada.with(token: nil).changePassword(from: person.password, to: "a loom of algebra").problem(.signedOut)
    try nodes.visitor().logIn(person.username, person.password).expect(201)
  }

  @Test func `no session of the old password is left, however many log in while it changes`() throws {
    let nodes = try Nodes(2, settings: ["LIMIT_LOGIN_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT_ADDRESS": "0"])
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    for round in 0..<3 {
      let old = round == 0 ? person.password : "a loom of algebra \(round)"
      let answers = try atOnce(9) { index in
        index == 4
          ? try ada.changePassword(from: old, to: "a loom of algebra \(round + 1)")
          : try nodes.visitor(index).logIn(person.username, old)
      }
      try answers[4].expect(204)
      for answer in answers where answer.status == 201 {
        try nodes.visitor().with(token: answer.decoded(SignedIn.self).session.token).me().problem(.signedOut)
      }
      let living = try ada.get("/v1/sessions").expect(200).decoded(Page<SessionDetails>.self)
      #expect(living.items.map(\.current) == [true])
    }
  }

  @Test func `an account is gone at once and its names are free`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let phone = try nodes.visitor(1).loggedIn(person)
    let tweet: Tweet = try ada.tweet("Mine").expect(201).decoded()
    let bea = try nodes.visitor(1).signedUp(Person("bea"))
    try bea.get("/v1/tweets/\(tweet.id)").expect(200)
    try ada.deleteMe(person.password).expect(204)
    for visitor in [ada, phone] { try visitor.me().problem(.signedOut) }
    try ada.deleteMe(person.password).problem(.signedOut)
    try bea.get("/v1/tweets/\(tweet.id)").problem(.notFound)
    try nodes.visitor().logIn(person.username, person.password).problem(.wrongCredentials)
    try bea.me().expect(200)
    for table in ["credential", "session", "tweet", "outbox", "link"] {
      let column = table == "tweet" ? "author_id" : "account_id"
      let orphans = "select count(*) from \(table) where \(column) not in (select id from account)"
      #expect(try nodes.database.value(orphans) == "0", "\(table)")
    }
    #expect(
      try nodes.database.value("select account_id is not null from audit_event where kind = 'account_deleted'") == "t")
    try nodes.visitor(1).register(person).expect(201)
  }

  @Test func `a browser's cookie goes with the account`() throws {
    let nodes = try Nodes(1)
    let person = Person()
    var registration = person.registration
    registration.cookie = true
    let answer = try nodes.visitor().post("/v1/register", registration).expect(201)
    let cookie = try #require(answer["Set-Cookie"]?.split(separator: ";").first.map(String.init))
    func send(_ site: String) throws -> HTTPClient.Response {
      try nodes.visitor().send(
        "DELETE", "/v1/me",
        headers: [("Cookie", cookie), ("Sec-Fetch-Site", site), ("Content-Type", "application/json")],
        body: Array(JSONEncoder.roost.encode(AccountDeletion(password: person.password))))
    }
    try send("cross-site").problem(.crossSite)
    #expect(try send("same-origin").expect(204)["Set-Cookie"]?.contains("Max-Age=0") == true)
  }
}

extension Visitor {
  func changePassword(from current: String, to new: String) throws -> HTTPClient.Response {
    try put("/v1/me/password", PasswordChange(currentPassword: current, newPassword: new))
  }

  fileprivate func deleteMe(_ password: String, token: String? = nil) throws -> HTTPClient.Response {
    try with(token: token ?? self.token).send(
      "DELETE", "/v1/me", headers: [("Content-Type", "application/json")],
      body: Array(JSONEncoder.roost.encode(AccountDeletion(password: password))))
  }
}
