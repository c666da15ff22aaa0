import RoostAPI
import TestSupport
import Testing

/// Changing what people show of themselves.
@Suite(.onThreads) struct ProfileTests {
  @Test func `absent stays, null clears, and a value is set by the rules of registration`() throws {
    let nodes = try Nodes(2)
    let ada = try nodes.visitor().signedUp(Person())
    var account: Account = try ada.patch(
      ProfileChange(fullName: .becomes("  Ada L. "), bio: .becomes("Poetical\nscience"))
    )
    .expect(200).decoded()
    #expect(account.fullName == "Ada L." && account.bio == "Poetical\nscience")
    account = try ada.patch(json: "{}").expect(200).decoded()
    #expect(account.fullName == "Ada L." && account.bio == "Poetical\nscience")
    account = try ada.patch(json: #"{"fullName": null, "id": "x", "email": "x@example.com", "followers": 9}"#)
      .expect(200).decoded()
    #expect(account.fullName == nil && account.bio == "Poetical\nscience" && account.followers == 0)
    account = try ada.patch(json: #"{"bio": "   "}"#).expect(200).decoded()
    #expect(account.bio == nil)
    #expect(try nodes.visitor(1).with(token: ada.token).me().decoded(Account.self) == account)
    #expect(!account.email.hasPrefix("x@"))
  }

  @Test func `the username is folded, the old one is free at once, and tweets show the new one`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let tweet: Tweet = try ada.tweet("Mine").expect(201).decoded()
    let name = Person("new").username
    let account: Account = try ada.patch(ProfileChange(username: .becomes(name.inMixedCase))).expect(200).decoded()
    #expect(account.username == name)
    #expect(try ada.get("/v1/tweets/\(tweet.id)").decoded(Tweet.self).author.username == name)
    #expect(try ada.get("/v1/feed").decoded(Page<Tweet>.self).items.map(\.author.username) == [name])
    let free: UsernameAvailability = try nodes.visitor(1).get("/v1/usernames/\(person.username)").decoded()
    #expect(free.available)
    try nodes.visitor().logIn(person.username, person.password).problem(.wrongCredentials)
    try nodes.visitor().logIn(name, person.password).expect(201)
    try nodes.visitor(1).logIn(person.email, person.password).expect(201)
    var other = Person("other")
    other.username = person.username
    try nodes.visitor(1).register(other).expect(201)
    #expect(
      try ada.patch(ProfileChange(username: .becomes(person.username))).problem(.taken).errors?.map(\.field) == [
        "username"
      ])
  }

  @Test(arguments: [
    (#"{"username": null}"#, ["username missing"]), (#"{"username": "ab"}"#, ["username too_short"]),
    (#"{"username": "admin"}"#, ["username reserved"]), (#"{"username": "a..b"}"#, ["username malformed"]),
    (#"{"username": ""}"#, ["username too_short"]),
    (#"{"fullName": "a\nb", "bio": "\u202e"}"#, ["fullName forbidden_character", "bio forbidden_character"]),
    (#"{"bio": "\#(String(repeating: "x", count: 161))"}"#, ["bio too_long"]),
    (#"{"fullName": "\#(String(repeating: "x", count: 51))", "username": "ok_name"}"#, ["fullName too_long"]),
  ])
  func `what breaks a rule changes nothing`(body: String, faults: [String]) throws {
    let ada = try ProfileTests.visitor.get()
    let before: Account = try ada.me().decoded()
    let problem = try ada.patch(json: body).problem(.invalidFields)
    #expect(problem.errors?.map { "\($0.field) \($0.code)" } == faults)
    #expect(try ada.me().decoded(Account.self) == before)
  }

  @Test(arguments: [#"{"bio": 1}"#, #"{"username": ["x"]}"#, #"[]"#, #"{"bio": "a", "bio": "b"}"#, ""])
  func `another type is malformed`(body: String) throws {
    try ProfileTests.visitor.get().patch(json: body).problem(.malformedBody)
  }

  @Test func `nobody changes a profile without a session`() throws {
    let visitor = try ProfileTests.visitor.get().with(token: nil)
    try visitor.patch(json: "{}").problem(.signedOut)
    try visitor.patch(json: #"{"username": "admin"}"#).problem(.signedOut)
  }

  @Test func `of those who want one username at once, one gets it and the others hear that it is taken`() throws {
    let nodes = try Nodes(2)
    let visitors = try (0..<8).map { index in try nodes.visitor(index).signedUp(Person("p\(index)")) }
    for round in 0..<5 {
      let name = Person("race\(round)").username
      let answers = try atOnce(8) { index in try visitors[index].patch(ProfileChange(username: .becomes(name))) }
      #expect(answers.map(\.status).counted == [200: 1, 409: 7], "\(nodes.lastWords)")
      for answer in answers where answer.status == 409 { try answer.problem(.taken) }
      #expect(try nodes.database.value("select count(*) from account where username = $1", [name]) == "1")
    }
  }

  private static let visitor = Result { try Visitor(StoryServer.shared.get().server).signedUp(Person()) }
}

/// One server for tests that leave nothing which others mind.
struct StoryServer: Sendable {
  let server: TestServer
  static let shared = Result {
    StoryServer(server: try TestServer(TestDatabase.fresh(), settings: ["LIMIT_REGISTER_ADDRESS": "0"]))
  }
}
