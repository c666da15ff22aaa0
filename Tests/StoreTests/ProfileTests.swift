import Store
import Testing
import Values

/// What one account sees of another: the profile, and the lists below it.
@Suite(.timeLimit(.minutes(5))) struct ProfileTests {
  @Test func `a profile shows what everybody may see, and whether the viewer follows it`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      try ground.change(
        """
        update account set full_name = 'Ada', bio = E'two\nlines', avatar_sha256 = decode(repeat('cd', 32), 'hex'),
          follower_count = 1, following_count = 2, tweet_count = 3, created_at = '2001-02-03 04:05:06.789+00'
        where username = 'ada'
        """)
      func profile(_ username: String, _ viewer: Ground.Person) async throws -> ProfileRow? {
        try await ground.found(ReadProfile(token: viewer.token, username: try Username(existing: username)))
      }
      let seen = try #require(await profile("ada", bob))
      #expect(seen.id == ada.id && seen.username == "ada" && seen.fullName == "Ada" && seen.bio == "two\nlines")
      #expect(seen.avatarDigest == Array(repeating: 0xcd, count: 32))
      #expect(seen.createdAtMicroseconds == 981_173_106_789_000)
      #expect([seen.followers, seen.following, seen.tweets] == [1, 2, 3] && !seen.isFollowedByViewer)
      try ground.follow(bob, ada)
      #expect(try await profile("ada", bob)?.isFollowedByViewer == true)
      #expect(try await profile("ADA", ada)?.isFollowedByViewer == false, "it is the viewer who must follow")
      #expect(try await profile("bob", ada)?.isFollowedByViewer == false)
      #expect(try await profile("carol", bob) == nil)
      try ground.change("update account set disabled_at = now() where username = 'ada'")
      #expect(try await profile("ada", bob) == nil)
    }
  }

  @Test func `nobody is told anything without a session, and what can be no name is nobody`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let stranger = try await ground.newcomer("eve")
      _ = try await ground.run(EndSession(token: stranger.token, stamp: ground.stamp))
      for name in [try Username("ada"), nil] {
        #expect(try await ground.run(ReadProfile(token: stranger.token, username: name)) == nil)
        #expect(try await ground.run(ListProfileTweets(token: stranger.token, username: name, page: Page())) == nil)
        #expect(try await ground.run(ListFollowers(token: stranger.token, username: name, page: Page())) == nil)
        #expect(try await ground.run(ListFollowing(token: stranger.token, username: name, page: Page())) == nil)
        let isKnown = name != nil
        #expect(try await (ground.found(ReadProfile(token: ada.token, username: name)) != nil) == isKnown)
        for list in try await [
          ground.found(ListFollowers(token: ada.token, username: name, page: Page())),
          ground.found(ListFollowing(token: ada.token, username: name, page: Page())),
        ] {
          #expect(list?.items.count == (isKnown ? 0 : nil) && list?.next == nil)
        }
        let tweets = try await ground.found(ListProfileTweets(token: ada.token, username: name, page: Page()))
        #expect(tweets?.items.count == (isKnown ? 0 : nil) && tweets?.next == nil)
      }
      #expect(try await ground.run(ReadExplore(token: stranger.token, page: Page())) == nil)
      #expect(try await ground.found(ReadExplore(token: ada.token, page: Page())).items == [])
    }
  }

  @Test func `the latest follow comes first, each with its profile`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      var people: [Ground.Person] = []
      for index in 0..<5 { people.append(try await ground.newcomer("person\(index)")) }
      // Not in the order in which they signed up, and all at one moment.
      let order = [3, 0, 4, 1, 2]
      for index in order { try ground.follow(people[index], ada) }
      try ground.follow(ada, people[1])
      try ground.follow(people[0], people[1])
      try ground.change("update follow set created_at = '2026-01-01'")
      func followers(_ limit: Int, before: FollowID? = nil) async throws -> Listed<FollowRow> {
        let page = Page<FollowRow>(limit: limit, before: before)
        return try #require(
          await ground.found(ListFollowers(token: ada.token, username: try Username("ada"), page: page)))
      }
      let names = order.reversed().map { "person\($0)" }
      let first = try await followers(2)
      #expect(first.items.map(\.profile.username) == Array(names[0..<2]) && first.next == first.items[1].place)
      let second = try await followers(2, before: first.next)
      #expect(second.items.map(\.profile.username) == Array(names[2..<4]))
      let third = try await followers(2, before: second.next)
      #expect(third.items.map(\.profile.username) == [names[4]] && third.next == nil)
      let all = try await followers(5)
      #expect(all.items == first.items + second.items + third.items && all.next == nil)
      #expect(all.items.filter(\.profile.isFollowedByViewer).map(\.profile.username) == ["person1"])
      for item in all.items {
        let name = try Username(item.profile.username)
        #expect(try await ground.found(ReadProfile(token: ada.token, username: name)) == item.profile)
      }
      let followed = try await ground.found(
        ListFollowing(token: people[4].token, username: try Username("person0"), page: Page()))
      #expect(followed?.items.map(\.profile.username) == ["person1", "ada"] && followed?.next == nil)
    }
  }

  @Test func `who is disabled is on no list, and no page is short for it`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      var people: [Ground.Person] = []
      for index in 0..<30 {
        let person = try await ground.newcomer("person\(index)")
        people.append(person)
        try ground.follow(person, ada)
        try ground.follow(ada, person)
        try await ground.post("tweet \(index)", by: person)
      }
      // The newest dozen, the oldest few, and every other one between them.
      func isDisabled(_ index: Int) -> Bool { index >= 18 || index < 4 || index.isMultiple(of: 2) }
      for (index, person) in people.enumerated() where isDisabled(index) {
        try ground.change("update account set disabled_at = now() where id = $1", [String(person.id)])
      }
      let left = people.indices.filter { !isDisabled($0) }.reversed().map { "person\($0)" }
      let name = try Username("ada")
      for limit in 1...8 {
        let followers = try await ground.pages({ limit }) { page in
          try #require(await ground.found(ListFollowers(token: ada.token, username: name, page: page)))
        }
        #expect(followers.map(\.profile.username) == left)
        let following = try await ground.pages({ limit }) { page in
          try #require(await ground.found(ListFollowing(token: ada.token, username: name, page: page)))
        }
        #expect(following.map(\.profile.username) == left)
        let tweets = try await ground.pages({ limit }) { page in
          try await ground.found(ReadExplore(token: ada.token, page: page))
        }
        #expect(tweets.map(\.author.username) == left)
      }
      let hidden = try Username("person2")
      #expect(try await ground.found(ListProfileTweets(token: ada.token, username: hidden, page: Page())) == nil)
      #expect(try await ground.found(ListFollowers(token: ada.token, username: hidden, page: Page())) == nil)
      #expect(try await ground.found(ListFollowing(token: ada.token, username: hidden, page: Page())) == nil)
      try ground.change("update account set disabled_at = null")
      let page = Page<FollowRow>(limit: 30)
      #expect(
        try await ground.found(ListFollowers(token: ada.token, username: name, page: page))?.items.count == 30)
    }
  }

  @Test func `somebody's tweets are theirs alone, as the viewer sees them`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let first = try await ground.post("first", by: ada)
      try await ground.post("bob's", by: bob)
      let second = try await ground.post("second", by: ada)
      try ground.change(
        "insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(first), String(bob.id)])
      func tweets(_ username: String, _ viewer: Ground.Person) async throws -> [TweetRow] {
        let name = try Username(username)
        return try #require(
          await ground.found(ListProfileTweets(token: viewer.token, username: name, page: Page()))
        ).items
      }
      let seen = try await tweets("ada", bob)
      #expect(seen.map(\.id) == [second, first] && seen.map(\.isLikedByViewer) == [false, true])
      for tweet in seen { #expect(try await ground.found(ReadTweet(token: bob.token, id: tweet.id)) == tweet) }
      #expect(try await tweets("ada", ada).map(\.isLikedByViewer) == [false, false])
      let all = try await ground.found(ReadExplore(token: bob.token, page: Page()))
      #expect(all.items.map(\.text) == ["second", "bob's", "first"])
      #expect(all.items.map(\.isLikedByViewer) == [false, false, true])
      #expect(all.items[0] == seen[0] && all.items[1].author.id == bob.id)
    }
  }
}

extension Ground {
  /// Lets one follow another, behind the statements' back.
  @discardableResult
  func follow(_ follower: Person, _ followee: Person) throws -> FollowID {
    let id: FollowID = ids.next()
    try change(
      "insert into follow (id, follower_id, followee_id) values ($1, $2, $3)",
      [String(id), String(follower.id), String(followee.id)])
    return id
  }

  /// A whole list, read in pages of `limit`, of which none but the last may be short.
  func pages<Item>(
    _ limit: () -> Int, _ read: (Page<Item>) async throws -> Listed<Item>
  ) async throws -> [Item] {
    var items: [Item] = []
    var before: ID<Item.PlaceTag>?
    repeat {
      let limit = limit()
      let page = try await read(Page(limit: limit, before: before))
      #expect(page.items.count == limit || (page.next == nil && page.items.count < limit))
      #expect(page.next == nil || page.next == page.items.last?.place)
      items += page.items
      if let next = page.next, let before { try #require(next < before, "a page goes on") }
      before = page.next
    } while before != nil
    return items
  }
}
