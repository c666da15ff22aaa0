import Secrets
import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct TweetTests {
  static let ten = Allowance(max: 10, seconds: 3_600)

  @Test func `a tweet is posted, shown and counted`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      try ground.change("update account set full_name = 'Ada', avatar_sha256 = decode(repeat('cd', 32), 'hex')")
      let statement = try ground.tweet("two\nlines 👩‍👩‍👧 \"quoted\"", by: ada, allowance: Self.ten)
      guard case .posted(let tweet) = try await ground.found(statement) else {
        Issue.record("not posted")
        return
      }
      #expect(tweet.id == statement.id)
      #expect(tweet.text == "two\nlines 👩‍👩‍👧 \"quoted\"")
      #expect(tweet.createdAtMicroseconds == Int64(statement.id.millisecondsSinceEpoch) * 1_000)
      #expect(tweet.likes == 0 && !tweet.isLikedByViewer)
      #expect(tweet.author.id == ada.id && tweet.author.username == "ada" && tweet.author.fullName == "Ada")
      #expect(tweet.author.avatarDigest == Array(repeating: 0xcd, count: 32))
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 1)
      #expect(try await ground.found(ReadTweet(token: ada.token, id: tweet.id)) == tweet)
      #expect(try ground.used() == ["tweets_account \(ada.id)": 1])
    }
  }

  @Test func `a tweet shows its likes to each viewer`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let id = try await ground.post(by: ada)
      try ground.change("insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(id), String(bob.id)])
      try ground.change("update tweet set like_count = 7")
      let forAda = try #require(await ground.found(ReadTweet(token: ada.token, id: id)))
      let forBob = try #require(await ground.found(ReadTweet(token: bob.token, id: id)))
      #expect(forAda.likes == 7 && !forAda.isLikedByViewer)
      #expect(forBob.likes == 7 && forBob.isLikedByViewer)
      #expect(forBob.author == forAda.author)
    }
  }

  @Test func `a tweet that is not there is none, nor is one of a disabled account`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let id = try await ground.post(by: ada)
      #expect(try await ground.found(ReadTweet(token: bob.token, id: ground.ids.next())) == nil)
      #expect(try await ground.found(ReadTweet(token: bob.token, id: id)) != nil)
      try ground.change("update account set disabled_at = now() where username = 'ada'")
      #expect(try await ground.found(ReadTweet(token: bob.token, id: id)) == nil)
    }
  }

  // MARK: Deleting

  @Test func `one's own tweet is deleted once, with its likes`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let id = try await ground.post("first", by: ada)
      let kept = try await ground.post("second", by: ada)
      try ground.change("insert into tweet_like (tweet_id, account_id) values ($1, $2)", [String(id), String(ada.id)])
      #expect(try await ground.found(DeleteTweet(token: ada.token, id: id)))
      #expect(try await ground.found(DeleteTweet(token: ada.token, id: id)) == false)
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 1)
      #expect(try await ground.found(ReadTweet(token: ada.token, id: kept))?.text == "second")
      #expect(try ground.counts()["tweet_like"] == 0)
    }
  }

  @Test func `another's tweet is not deleted`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let id = try await ground.post(by: ada)
      #expect(try await ground.found(DeleteTweet(token: bob.token, id: id)) == false)
      #expect(try await ground.found(DeleteTweet(token: bob.token, id: ground.ids.next())) == false)
      #expect(try await ground.found(ReadTweet(token: ada.token, id: id)) != nil)
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 1)
      #expect(try await ground.found(ReadAccount(token: bob.token)).tweets == 0)
    }
  }

  @Test func `of fifty deletions at once one is the one`() async throws {
    try await Ground.with(writers: 16) { ground in
      let ada = try await ground.newcomer("ada")
      let id = try await ground.post(by: ada)
      let answers = try await parallel(50) { _ in try await ground.found(DeleteTweet(token: ada.token, id: id)) }
      #expect(answers.count { $0 } == 1)
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 0)
    }
  }

  @Test func `the number of tweets is right after any mixture`() async throws {
    try await Ground.with(writers: 16) { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await parallel(60) { index in
        let id = try await ground.post("tweet \(index)", by: ada)
        if index % 3 == 0 { _ = try await ground.found(DeleteTweet(token: ada.token, id: id)) }
      }
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 40)
      #expect(try ground.counts()["tweet"] == 40)
    }
  }

  // MARK: The limit

  @Test func `as many tweets as allowed are posted, and refused ones count nowhere`() async throws {
    try await Ground.with(writers: 16) { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      let outcomes = try await parallel(50) { index in
        try await ground.found(ground.tweet("tweet \(index)", by: ada, allowance: Self.ten))
      }
      var posted = 0
      for case .posted in outcomes { posted += 1 }
      #expect(posted == 10)
      guard case .spent(let limit) = try await ground.found(ground.tweet(by: ada, allowance: Self.ten)) else {
        Issue.record("not refused")
        return
      }
      #expect((3_000...3_600).contains(limit.retryAfterSeconds))
      #expect(try ground.used() == ["tweets_account \(ada.id)": 10])
      #expect(try ground.counts()["tweet"] == 10)
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 10)
      guard case .posted = try await ground.found(ground.tweet(by: bob, allowance: Self.ten)) else {
        Issue.record("another's limit")
        return
      }
      try ground.change("update throttle set resets_at = now() where subject = $1", [String(ada.id)])
      guard case .posted = try await ground.found(ground.tweet(by: ada, allowance: Self.ten)) else {
        Issue.record("the window is over")
        return
      }
    }
  }

  // MARK: Idempotency keys

  @Test func `a key gives the same tweet again, and counts once`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let one = Allowance(max: 1, seconds: 3_600)
      guard case .posted(let first) = try await ground.found(ground.tweet("hi", key: "k", by: ada, allowance: one)),
        case .posted(let again) = try await ground.found(ground.tweet("hi", key: "k", by: ada, allowance: one))
      else {
        Issue.record("not posted")
        return
      }
      #expect(again == first)
      #expect(try await ground.found(ground.tweet("ho", key: "k", by: ada, allowance: one)) == .keyReused)
      guard case .spent = try await ground.found(ground.tweet("hi", key: "l", by: ada, allowance: one)) else {
        Issue.record("the limit is spent")
        return
      }
      #expect(try ground.used() == ["tweets_account \(ada.id)": 1])
      #expect(try ground.counts()["tweet"] == 1)
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 1)
    }
  }

  @Test func `a key is its account's own`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      guard case .posted(let hers) = try await ground.found(ground.tweet("hers", key: "k", by: ada)),
        case .posted(let his) = try await ground.found(ground.tweet("his", key: "k", by: bob))
      else {
        Issue.record("not posted")
        return
      }
      #expect(hers.author.username == "ada" && his.author.username == "bob")
      #expect(try ground.counts()["tweet"] == 2)
    }
  }

  @Test func `a key is free again with the tweet's deletion`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      guard case .posted(let first) = try await ground.found(ground.tweet("hi", key: "k", by: ada)) else {
        Issue.record("not posted")
        return
      }
      _ = try await ground.found(DeleteTweet(token: ada.token, id: first.id))
      guard case .posted(let second) = try await ground.found(ground.tweet("ho", key: "k", by: ada)) else {
        Issue.record("not posted")
        return
      }
      #expect(second.id != first.id && second.text == "ho")
    }
  }

  @Test func `fifty at once with one key are one tweet`() async throws {
    try await Ground.with(writers: 16) { ground in
      let ada = try await ground.newcomer("ada")
      let tweets = try await parallel(50) { _ in
        // In use at this moment: the service runs the statement again as well.
        while true {
          switch try await ground.found(
            ground.tweet("hi", key: "k", by: ada, allowance: Allowance(max: 300, seconds: 60)))
          {
          case .posted(let tweet): return tweet
          case .keyInUse: continue
          case .keyReused, .spent: throw Ground.NotPosted()
          }
        }
      }
      #expect(Set(tweets.map(\.id)).count == 1)
      #expect(try ground.counts()["tweet"] == 1)
      #expect(try await ground.found(ReadAccount(token: ada.token)).tweets == 1)
      let used = try ground.used()
      guard
        case .posted(let again) = try await ground.found(
          ground.tweet("hi", key: "k", by: ada, allowance: Allowance(max: 300, seconds: 60)))
      else {
        Issue.record("not found")
        return
      }
      #expect(tweets.contains(again))
      #expect(try ground.used() == used, "a repeat that comes later counts against no limit")
    }
  }
}
