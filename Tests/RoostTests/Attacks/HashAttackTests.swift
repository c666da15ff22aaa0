import RoostAPI
import TestSupport
import Testing

/// Passwords without end: each costs 19 MiB and some milliseconds, of a crew of its own.
@Suite(.onThreads) struct HashAttackTests {
  private static let hashMiB = 19

  /// What a crew takes for its hashes and so many connections for themselves, in MiB, with some room.
  private static func bound(crew: Int, connections: Int) -> Int { crew * hashMiB + connections * 34 / 1_024 + 16 }

  /// So many requests at once, from fewer threads: each connection sends its own and then waits.
  private static func flood(_ count: Int, _ server: TestServer, _ body: (Int) throws -> (String, String)) throws
    -> [HTTPClient.Response]
  {
    let connections = try (0..<count).map { index in
      let (path, json) = try body(index)
      let connection = try RawConnection(server.address, timeoutMilliseconds: 120_000)
      try connection.send(
        "POST \(path) HTTP/1.1\r\nHost: roost\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
      return connection
    }
    return try connections.map { try $0.readResponse() }
  }

  @Test(arguments: [1, 2])
  func `thousands of log-ins at once take no more memory than the crew, and reading goes on`(crew: Int) throws {
    let siege = try Siege(["HASH_THREADS": "\(crew)", "HASH_QUEUE_MAX": "64"])
    let count = Siege.isFull ? 3_000 : 600
    let toll = try siege.attacked(withinMiB: Self.bound(crew: crew, connections: count)) {
      let answers = try Self.flood(count, siege.server) { index in
        ("/v1/login", #"{"login":"ghost_\#(index)","password":"wrong horse \#(index)"}"#)
      }
      let counts = answers.map(\.status).counted
      #expect(Set(counts.keys) == [401, 503], "\(counts)")
      // The queue has an end: those in it were answered, the rest at once turned away.
      #expect(counts[401] ?? 0 >= 64, "\(counts)")
      for answer in answers where answer.status == 503 { try answer.problem(.overloaded) }
    }
    #expect(toll.statuses[200] ?? 0 > 20, "\(toll)")
    #expect(toll.median < .milliseconds(200), "\(toll)")
    let person = Person("cyd")
    try Visitor(siege.server).signedUp(person).me().expect(200)
    _ = try Visitor(siege.server).loggedIn(person)
  }

  @Test func `thousands of sign-ups at once leave whole accounts and turn the rest away`() throws {
    let siege = try Siege(["HASH_THREADS": "1", "HASH_QUEUE_MAX": "64"])
    let count = Siege.isFull ? 3_000 : 400
    var made = 0
    try siege.attacked(withinMiB: Self.bound(crew: 1, connections: count)) {
      let answers = try Self.flood(count, siege.server) { index in
        (
          "/v1/register",
          #"{"email":"a\#(index)@example.com","username":"crowd_\#(index)","password":"a horse of \#(index)"}"#
        )
      }
      let counts = answers.map(\.status).counted
      #expect(Set(counts.keys) == [201, 503], "\(counts)")
      for answer in answers where answer.status == 503 { try answer.problem(.overloaded) }
      made = counts[201] ?? 0
    }
    let whole = "select count(*) from account join credential on account_id = id where username like 'crowd%'"
    #expect(try siege.database.value(whole) == "\(made)")
    #expect(try siege.database.value("select count(*) from account where username like 'crowd%'") == "\(made)")
  }

  @Test func `a password of any length or form costs one hash at most`() throws {
    let siege = try Siege()
    let passwords = [
      String(repeating: "x", count: 60_000), String(repeating: "\u{fdfa}", count: 300),
      String(repeating: "\u{316}\u{301}", count: 15_000), String(repeating: "e\u{301}", count: 600),
      String(repeating: "\u{1100}\u{1161}\u{11a8}", count: 6_000),
      "a" + String(repeating: "\u{335}\u{327}", count: 1_000),
    ]
    try siege.attacked(withinMiB: Self.hashMiB + 16) {
      for password in passwords {
        let time = try ContinuousClock().measure {
          try Visitor(siege.server).logIn("ada", password).problem(.wrongCredentials)
          let registration = try Visitor(siege.server).register(
            Registration(email: Person().email, username: Person("long").username, password: password))
          #expect(registration.status == 201 || registration.status == 422, "\(registration)")
        }
        #expect(time < .seconds(2), "\(password.prefix(8)): \(time)")
      }
    }
  }
}
