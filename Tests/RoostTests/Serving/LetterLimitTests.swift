import RoostAPI
import TestSupport
import Testing

/// Limits of letters and photos, counted over several servers.
@Suite(.onThreads) struct LetterLimitTests {
  private static let nodes = 3
  private static let tries = 24

  @Test(arguments: ["/v1/password-reset", "/v1/username-reminder"])
  func `so many letters to one account are written however many nodes are asked at once`(path: String) throws {
    let nodes = try Nodes(Self.nodes, settings: ["LIMIT_MAIL_ACCOUNT": "4/h", "LIMIT_MAIL_ADDRESS": "0"])
    let (person, other) = (Person(), Person("bea"))
    for person in [person, other] { try nodes.visitor().register(person).expect(201) }
    let statuses = try atOnce(Self.tries) { index in
      try nodes.visitor(index).post(path, LetterRequest(email: person.email)).status
    }
    #expect(statuses.counted == [202: Self.tries], "\(nodes.lastWords)")
    let letters = "select count(*) from outbox where kind <> 'email_verification' and recipient = $1"
    #expect(try nodes.database.value(letters, [person.email]) == "4")
    try nodes.visitor().post(path, LetterRequest(email: other.email)).expect(202)
    #expect(try nodes.database.value(letters, [other.email]) == "1", "others have a count of their own")
  }

  @Test(arguments: ["/v1/password-reset", "/v1/username-reminder"])
  func `so many letters are asked for from one address however many nodes are asked at once`(path: String) throws {
    let nodes = try Nodes(
      Self.nodes, settings: ["LIMIT_MAIL_ADDRESS": "7/h", "TRUSTED_PROXIES": "127.0.0.0/8"])
    let statuses = try atOnce(Self.tries) { index in
      try nodes.visitor(index, at: "2001:db8::\(index + 1)").post(path, LetterRequest(email: Person().email)).status
    }
    #expect(statuses.counted == [202: 7, 429: Self.tries - 7], "\(nodes.lastWords)")
    try nodes.visitor(at: "2001:db8:0:1::1").post(path, LetterRequest(email: Person().email)).expect(202)
  }

  @Test func `whoever is signed in hears of the account's limit, exact over all nodes`() throws {
    let nodes = try Nodes(Self.nodes, settings: ["LIMIT_MAIL_ACCOUNT": "4/h", "LIMIT_MAIL_ADDRESS": "0"])
    let ada = try nodes.visitor().signedUp()
    let statuses = try atOnce(Self.tries) { index in
      try nodes.visitor(index).with(token: ada.token).send("POST", "/v1/email-verification").status
    }
    #expect(statuses.counted == [202: 4, 429: Self.tries - 4], "\(nodes.lastWords)")
    #expect(try nodes.database.value("select count(*) from outbox") == "5", "one of the sign-up, and four")
  }

  @Test func `so many photos are taken for one account however many nodes are asked at once`() throws {
    let nodes = try Nodes(Self.nodes, settings: ["LIMIT_AVATAR_ACCOUNT": "4/h"])
    let ada = try nodes.visitor().signedUp()
    let statuses = try atOnce(12) { index in
      try nodes.visitor(index).with(token: ada.token).upload(SamplePicture.png(UInt8(index))).status
    }
    #expect(statuses.counted == [200: 4, 429: 8], "\(nodes.lastWords)")
    #expect(try nodes.database.value("select count(*) from audit_event where kind = 'photo_changed'") == "4")
    #expect(try nodes.database.value("select count(*) from avatar") == "1")
  }
}
