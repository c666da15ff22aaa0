import RoostAPI
import TestSupport
import Testing

/// Likes and follows, as clients use them.
@Suite(.onThreads) struct SocialTests {
  @Test func `a like shows to everybody, once, and can be taken back`() throws {
    let nodes = try Nodes(2)
    let ada = try nodes.visitor(0).signedUp()
    let bob = try nodes.visitor(1).signedUp(Person("bob"))
    let tweet: Tweet = try ada.tweet("Like me").expect(201).decoded()
    let path = "/v1/tweets/\(tweet.id)"
    for _ in 0..<2 {
      let answer = try bob.send("PUT", path + "/like").expect(204)
      #expect(answer.body.isEmpty)
    }
    #expect(try bob.get(path).decoded(Tweet.self).likes == 1)
    #expect(try bob.get(path).decoded(Tweet.self).likedByMe)
    #expect(try ada.get(path).decoded(Tweet.self).likes == 1)
    #expect(try !ada.get(path).decoded(Tweet.self).likedByMe)
    #expect(try ada.get("/v1/feed").decoded(Page<Tweet>.self).items[0].likes == 1)
    for _ in 0..<2 { try bob.delete(path + "/like").expect(204) }
    #expect(try ada.get(path).decoded(Tweet.self).likes == 0)
    try ada.delete(path).expect(204)
    for method in ["PUT", "DELETE"] {
      try bob.send(method, path + "/like").problem(.notFound)
      try bob.send(method, "/v1/tweets/nonsense/like").problem(.notFound)
      try bob.with(token: nil).send(method, path + "/like").problem(.signedOut)
    }
  }

  @Test func `a follow fills the home feed, with the past too, and its end empties it`() throws {
    let nodes = try Nodes(2)
    let (one, two) = (Person("ada"), Person("bob"))
    let ada = try nodes.visitor(0).signedUp(one)
    let bob = try nodes.visitor(1).signedUp(two)
    try bob.tweet("From the past").expect(201)
    let path = "/v1/users/\(two.username)/follow"
    func feed() throws -> [String] { try ada.get("/v1/feed").decoded(Page<Tweet>.self).items.map(\.text) }
    #expect(try feed() == [])
    for name in [two.username, two.username.inMixedCase] {
      try ada.send("PUT", "/v1/users/\(name)/follow").expect(204)
    }
    try bob.tweet("Of today").expect(201)
    #expect(try feed() == ["Of today", "From the past"])
    #expect(try ada.me().decoded(Account.self).following == 1)
    #expect(try bob.me().decoded(Account.self).followers == 1)
    let profile: Profile = try ada.get("/v1/users/\(two.username)").expect(200).decoded()
    #expect(profile.followedByMe && profile.followers == 1 && profile.following == 0)
    for _ in 0..<2 { try ada.delete(path).expect(204) }
    #expect(try feed() == [])
    #expect(try bob.me().decoded(Account.self).followers == 0)
    for method in ["PUT", "DELETE"] {
      try ada.send(method, "/v1/users/\(one.username)/follow").problem(.cannotFollowSelf)
      try ada.send(method, "/v1/users/nobody_at_all/follow").problem(.notFound)
      try ada.send(method, "/v1/users/!!/follow").problem(.notFound)
      try ada.with(token: nil).send(method, path).problem(.signedOut)
      try ada.with(token: nil).send(method, "/v1/users/!!/follow").problem(.signedOut)
    }
  }

  @Test func `limits of likes and follows are exact over three nodes`() throws {
    let nodes = try Nodes(3, settings: ["LIMIT_LIKES_ACCOUNT": "5/h", "LIMIT_FOLLOWS_ACCOUNT": "4/h"])
    let ada = try nodes.visitor().signedUp()
    let tweets = try (0..<12).map { try ada.tweet("\($0)").expect(201).decoded(Tweet.self).id }
    let people = (0..<12).map { _ in Person("bird") }
    for (index, person) in people.enumerated() { try nodes.visitor(index).register(person).expect(201) }
    let likes = try atOnce(12) { index in
      try nodes.visitor(index).with(token: ada.token).send("PUT", "/v1/tweets/\(tweets[index])/like").status
    }
    #expect(likes.counted == [204: 5, 429: 7], "\(nodes.lastWords)")
    let follows = try atOnce(12) { index in
      let path = "/v1/users/\(people[index].username)/follow"
      return try nodes.visitor(index).with(token: ada.token).send("PUT", path).status
    }
    #expect(follows.counted == [204: 4, 429: 8], "\(nodes.lastWords)")
    #expect(try nodes.database.value("select count(*) from tweet_like") == "5")
    #expect(try nodes.database.value("select count(*) from follow") == "4")
    #expect(try ada.me().decoded(Account.self).following == 4)
  }

  @Test func `repeats of one key at once are one tweet, and count once against the limit`() throws {
    let nodes = try Nodes(2, settings: ["LIMIT_TWEETS_ACCOUNT": "30/h"])
    let ada = try nodes.visitor().signedUp()
    let answers = try atOnce(20) { index in
      try nodes.visitor(index).with(token: ada.token).tweet("once", key: "the same").expect(201).decoded(Tweet.self)
    }
    #expect(Set(answers.map(\.id)).count == 1)
    #expect(try nodes.database.value("select used from throttle where rule = 'tweets_account'") == "1")
    #expect(try ada.me().decoded(Account.self).tweets == 1)
  }
}
