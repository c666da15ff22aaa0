import RoostAPI
import TestSupport
import Testing

/// A log-in that fails tells nothing about which accounts there are.
@Suite(.onThreads) struct LoginSecrecyTests {
  @Test func `an unknown login and a wrong password get the same answer, byte for byte`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let visitor = Visitor(server)
    let (person, disabled) = (Person(), Person("dora"))
    try visitor.register(person).expect(201)
    try visitor.register(disabled).expect(201)
    _ = try database.rows("update account set disabled_at = now() where username = $1", [disabled.username])
    let attempts = [
      (person.username, "wrong horse"), (person.email, "wrong horse"), (Person("ghost").username, "wrong horse"),
      (Person("ghost").email, "wrong horse"), ("admin", "wrong horse"), ("not a name", "wrong horse"),
      ("", "wrong horse"),
      ("a@b@c", "wrong horse"), (disabled.username, disabled.password), (person.username, ""),
      (person.username, String(repeating: "x", count: 1_025)),
      (Person("ghost").username, String(repeating: "x", count: 5_000)),
    ]
    let seen = try attempts.map { login, password in
      let answer = try visitor.logIn(login, password)
      try answer.problem(.wrongCredentials)
      return Self.comparable(answer)
    }
    #expect(Set(seen).count == 1, "\(Set(seen).joined(separator: "\n\n"))")
  }

  /// Everything in an answer but what is another one each time.
  private static func comparable(_ answer: HTTPClient.Response) -> String {
    let headers = answer.headers.map { name, value in
      ["Date", "X-Request-ID"].contains(name) ? name : "\(name): \(value)"
    }
    let body = answer.text.replacing(answer["X-Request-ID"] ?? "", with: "")
    return "\(answer.status) \(answer.reason)\n\(headers.joined(separator: "\n"))\n\(body)"
  }

  @Test func `an unknown login takes as long as a wrong password`() throws {
    let server = try TestServer(
      .fresh(), settings: ["LIMIT_LOGIN_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT": "0"])
    let visitor = Visitor(server)
    let person = Person()
    try visitor.register(person).expect(201)
    let clock = ContinuousClock()
    var quickest = (known: Duration.seconds(60), unknown: Duration.seconds(60))
    // The quickest of each, which nothing has disturbed, and in turns, so that whatever else the machine does hits both
    // alike. Without a decoy the second is ten times quicker, and no patience brings the two together.
    for index in 0..<200 {
      quickest.known = min(
        quickest.known, try clock.measure { try visitor.logIn(person.username, "wrong").expect(401) })
      quickest.unknown = min(quickest.unknown, try clock.measure { try visitor.logIn("ghost", "wrong").expect(401) })
      if index >= 10, quickest.known / quickest.unknown < 1.3, quickest.unknown / quickest.known < 1.3 { return }
    }
    Issue.record("known \(quickest.known), unknown \(quickest.unknown)")
  }
}
