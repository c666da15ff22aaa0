import Postgres
import RoostAPI
import TestSupport
import Testing

/// The limits on other calls: counted by all nodes together, exactly.
@Suite(.onThreads) struct RequestLimitTests {
  @Test func `an address registers twenty accounts an hour, over three nodes and at once`() throws {
    let nodes = try Nodes(3)
    let answers = try atOnce(27) { index in try nodes.visitor(index).register(Person()) }
    #expect(answers.map(\.status).counted == [201: 20, 429: 7], "\(nodes.lastWords)")
    for answer in answers where answer.status == 429 {
      try answer.problem(.tooManyRequests)
    }
    let late = try nodes.visitor().register(Person())
    try late.problem(.tooManyRequests)
    #expect((59 * 60...60 * 60).contains(try #require(late["Retry-After"].flatMap { Int($0) })))
    #expect(try nodes.database.value("select count(*) from account") == "20")
    // A form that is refused for its fields costs no try, and says so even now.
    try nodes.visitor().post("/v1/register", json: "{}").problem(.invalidFields)
  }

  @Test func `an address asks for 120 usernames a minute`() throws {
    let nodes = try Nodes(3)
    let answers = try atOnce(132) { index in try nodes.visitor(index).get("/v1/usernames/bird_\(index)") }
    #expect(answers.map(\.status).counted == [200: 120, 429: 12], "\(nodes.lastWords)")
    let late = try nodes.visitor().get("/v1/usernames/bird")
    try late.problem(.tooManyRequests)
    #expect((1...60).contains(try #require(late["Retry-After"].flatMap { Int($0) })))
  }

  @Test func `an account posts so many tweets, and a repeated key is not another one`() throws {
    let nodes = try Nodes(3, settings: ["LIMIT_TWEETS_ACCOUNT": "12/h"])
    let ada = try nodes.visitor().signedUp()
    let first: Tweet = try ada.tweet("Once", key: "k").expect(201).decoded()
    let answers = try atOnce(18) { index in
      try nodes.visitor(index).with(token: ada.token).tweet("Tweet \(index)")
    }
    #expect(answers.map(\.status).counted == [201: 11, 429: 7], "\(nodes.lastWords)")
    try ada.tweet("One more").problem(.tooManyRequests)
    #expect(try ada.tweet("Once", key: "k").expect(201).decoded() == first)
    #expect(try ada.me().decoded(Account.self).tweets == 12)
    // Each account has tweets of its own.
    try nodes.visitor().signedUp(Person("bea")).tweet("Mine").expect(201)
  }

  @Test func `one key sent at once to three nodes makes one tweet`() throws {
    let nodes = try Nodes(3)
    let ada = try nodes.visitor().signedUp()
    for round in 0..<5 {
      let answers = try atOnce(9) { index in
        try nodes.visitor(index).with(token: ada.token).tweet("Only once", key: "key-\(round)").expect(201)
      }
      #expect(Set(try answers.map { try $0.decoded(Tweet.self).id }).count == 1)
    }
    #expect(try ada.me().decoded(Account.self).tweets == 5)
    #expect(try nodes.database.value("select count(*) from tweet") == "5")
  }

  @Test func `a limit of nothing is off`() throws {
    let nodes = try Nodes(1, settings: ["LIMIT_USERNAMES_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT_ADDRESS": "0"])
    let answers = try atOnce(150) { _ in try nodes.visitor().get("/v1/usernames/bird") }
    #expect(answers.map(\.status).counted == [200: 150])
    for _ in 0..<15 { try nodes.visitor().logIn("ghost", "wrong").problem(.wrongCredentials) }
  }
}
