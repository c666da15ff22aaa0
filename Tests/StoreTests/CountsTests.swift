import Postgres
import Secrets
import Store
import TestSupport
import Testing
import Values

/// Counts that statements keep: right whatever happens at once.
@Suite(.timeLimit(.minutes(5))) struct CountsTests {
  private struct NotSpent: Error {}

  private func like(_ tweet: TweetID, _ person: Ground.Person) -> LikeTweet {
    LikeTweet(token: person.token, id: tweet, allowance: Ground.unlimited)
  }

  private func follow(_ followee: Ground.Person, by person: Ground.Person, _ ground: Ground) throws -> FollowAccount {
    FollowAccount(
      token: person.token, username: try Username(existing: followee.username), id: ground.ids.next(),
      allowance: Ground.unlimited)
  }

  private func unfollow(_ followee: Ground.Person, by person: Ground.Person) throws -> UnfollowAccount {
    UnfollowAccount(token: person.token, username: try Username(existing: followee.username))
  }

  @Test func `a like counts once, and taking it back counts once`() async throws {
    try await Ground.with { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      let tweet = try await ground.post("hello", by: ada)
      for liker in [bob, bob, ada] { #expect(try await ground.found(like(tweet, liker)) == .stands) }
      #expect(try ground.value("select like_count from tweet") == "2")
      #expect(try await ground.found(ReadTweet(token: bob.token, id: tweet))?.isLikedByViewer == true)
      for _ in 0..<2 { #expect(try await ground.found(UnlikeTweet(token: bob.token, id: tweet))) }
      #expect(try ground.value("select like_count from tweet") == "1")
      #expect(try await ground.found(ReadTweet(token: bob.token, id: tweet))?.isLikedByViewer == false)
      #expect(try await ground.found(like(ground.ids.next(), bob)) == .nothingThere)
      #expect(try await !ground.found(UnlikeTweet(token: bob.token, id: ground.ids.next())))
      #expect(try ground.wrongCounts() == [])
    }
  }

  @Test func `a follow counts once on both sides, and nobody follows oneself`() async throws {
    try await Ground.with { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      for _ in 0..<2 { #expect(try await ground.found(follow(bob, by: ada, ground)) == .relation(.stands)) }
      #expect(try await ground.found(ReadAccount(token: ada.token)).following == 1)
      #expect(try await ground.found(ReadAccount(token: bob.token)).followers == 1)
      #expect(try await ground.found(follow(ada, by: ada, ground)) == .oneself)
      #expect(try await ground.found(unfollow(ada, by: ada)) == .oneself)
      for _ in 0..<2 { #expect(try await ground.found(unfollow(bob, by: ada)) == .relation(.stands)) }
      #expect(try await ground.found(ReadAccount(token: bob.token)).followers == 0)
      let nobody = FollowAccount(token: ada.token, username: nil, id: ground.ids.next(), allowance: Ground.unlimited)
      #expect(try await ground.found(nobody) == .relation(.nothingThere))
      #expect(try ground.value("select count(*) from follow") == "0")
      #expect(try ground.wrongCounts() == [])
    }
  }

  @Test func `what wants one tweet, or one account to follow, shares a connection, and nothing else`() throws {
    let ids = IDSource()
    let (tweet, other): (TweetID, TweetID) = (ids.next(), ids.next())
    func row(of tweet: TweetID) -> ContendedRow? {
      LikeTweet(token: SessionToken().digest, id: tweet, allowance: Ground.unlimited).contendedRow
    }
    #expect(row(of: tweet) != nil && row(of: tweet) == row(of: tweet) && row(of: tweet) != row(of: other))
    #expect(UnlikeTweet(token: SessionToken().digest, id: tweet).contendedRow == row(of: tweet))
    func row(of username: String) throws -> ContendedRow? {
      FollowAccount(
        token: SessionToken().digest, username: try Username(existing: username), id: ids.next(),
        allowance: Ground.unlimited
      ).contendedRow
    }
    #expect(try row(of: "ada") != nil && row(of: "ada") == row(of: "Ada") && row(of: "ada") != row(of: "bob"))
    let unfollow = UnfollowAccount(token: SessionToken().digest, username: try Username(existing: "ada"))
    #expect(try unfollow.contendedRow == row(of: "ada"))
  }

  @Test func `only what changes something counts against the limit`() async throws {
    try await Ground.with { ground in
      let (ada, bob, cyd) = (
        try await ground.newcomer("ada"), try await ground.newcomer("bob"), try await ground.newcomer("cyd")
      )
      let tweets = try await [ground.post("1", by: ada), ground.post("2", by: ada), ground.post("3", by: ada)]
      let two = Allowance(max: 2, seconds: 60)
      func like(_ index: Int) -> LikeTweet { LikeTweet(token: bob.token, id: tweets[index], allowance: two) }
      for index in [0, 0, 1, 1, 0] { #expect(try await ground.found(like(index)) == .stands) }
      guard case .spent(let limit) = try await ground.found(like(2)) else { throw NotSpent() }
      #expect((1...60).contains(limit.retryAfterSeconds))
      #expect(try await ground.found(like(0)) == .stands, "it stands already")
      #expect(try await ground.found(UnlikeTweet(token: bob.token, id: tweets[0])))
      let one = Allowance(max: 1, seconds: 60)
      func follow(_ person: Ground.Person) throws -> FollowAccount {
        FollowAccount(
          token: bob.token, username: try Username(existing: person.username), id: ground.ids.next(), allowance: one)
      }
      for _ in 0..<3 { #expect(try await ground.found(follow(ada)) == .relation(.stands)) }
      guard case .relation(.spent) = try await ground.found(follow(cyd)) else { throw NotSpent() }
      #expect(try ground.value("select count(*) from follow") == "1")
      #expect(try ground.wrongCounts() == [])
    }
  }

  @Test func `a tweet that is forgiven counts one less, and never less than nothing`() async throws {
    try await Ground.with { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      for person in [ada, ada, bob] {
        _ = try await ground.found(ground.tweet(by: person, allowance: Allowance(max: 10, seconds: 60)))
      }
      let used = "select used from throttle where rule = 'tweets_account' and subject = $1"
      let window = try ground.window(of: "tweets_account", for: String(ada.id))
      for left in ["1", "0", "0"] {
        try await ground.found(ForgiveTweet(token: ada.token, window: window))
        #expect(try ground.value(used, [String(ada.id)]) == left)
        #expect(try ground.value(used, [String(bob.id)]) == "1")
      }
    }
  }

  @Test func `what was counted in a window that is over is not taken from the next`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await ground.found(ground.tweet(by: ada, allowance: Allowance(max: 10, seconds: 60)))
      let window = try ground.window(of: "tweets_account", for: String(ada.id))
      try ground.change("update throttle set resets_at = resets_at + interval '1 ms', used = 3")
      for other in [window, CountWindow(endMicroseconds: nil)] {
        try await ground.found(ForgiveTweet(token: ada.token, window: other))
        #expect(try ground.value("select used from throttle where rule = 'tweets_account'") == "3")
      }
      let present = try ground.window(of: "tweets_account", for: String(ada.id))
      try await ground.found(ForgiveTweet(token: ada.token, window: present))
      #expect(try ground.value("select used from throttle where rule = 'tweets_account'") == "2")
    }
  }

  @Test func `the statement that counts tells the window to give back in`() async throws {
    try await Ground.with(writers: 2) { ground in
      let ada = try await ground.newcomer("ada")
      // Somebody else posts with the key and has not committed yet: the statement waits for it, and sees no row.
      let other = try BlockingConnection(ground.database.target)
      try other.run("begin")
      try other.run(
        "insert into tweet (id, author_id, text, created_at, idempotency_key) values "
          + "('01900000-0000-7000-8000-000000000001', '\(ada.id)', 'hi', now(), 'k')")
      async let outcome = ground.found(ground.tweet("hi", key: "k", by: ada, allowance: Allowance(max: 5, seconds: 60)))
      while try ground.value(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == nil
      {
        try await Task.sleep(for: .milliseconds(10))
      }
      try other.run("commit")
      let window = try ground.window(of: "tweets_account", for: String(ada.id))
      #expect(try await outcome == .keyInUse(window))
      #expect(try ground.used()["tweets_account \(ada.id)"] == 1)
    }
  }

  @Test func `who is disabled counts nowhere, and counts again when enabled`() async throws {
    try await Ground.with { ground in
      let (ada, bob, cyd) = (
        try await ground.newcomer("ada"), try await ground.newcomer("bob"), try await ground.newcomer("cyd")
      )
      let tweet = try await ground.post("hello", by: ada)
      for liker in [bob, cyd] { _ = try await ground.found(like(tweet, liker)) }
      for (follower, followee) in [(ada, bob), (bob, ada), (cyd, bob), (bob, cyd)] {
        _ = try await ground.found(follow(followee, by: follower, ground))
      }
      for _ in 0..<2 {
        #expect(try await ground.run(DisableAccount(named: NamedAccount("bob"), stamp: ground.stamp)))
        #expect(try ground.value("select like_count from tweet") == "1")
        let account = try await ground.found(ReadAccount(token: ada.token))
        #expect(account.followers == 0 && account.following == 0)
        #expect(try await ground.found(follow(bob, by: ada, ground)) == .relation(.nothingThere))
        #expect(try ground.wrongCounts() == [])
      }
      for _ in 0..<2 {
        #expect(try await ground.run(EnableAccount(named: NamedAccount("bob"), stamp: ground.stamp)))
        #expect(try ground.value("select like_count from tweet") == "2")
        #expect(try await ground.found(ReadAccount(token: ada.token)).following == 1)
        #expect(try ground.wrongCounts() == [])
      }
      #expect(try await ground.run(DisableAccount(named: NamedAccount("cyd"), stamp: ground.stamp)))
      for name in ["bob", "cyd"] {
        #expect(try await ground.run(DeleteNamedAccount(named: NamedAccount(name), stamp: ground.stamp)))
        #expect(try ground.wrongCounts() == [])
      }
      #expect(try ground.value("select like_count from tweet") == "0")
    }
  }

  @Test func `accounts that know each other go by one statement, and whoever stays is counted right`() async throws {
    try await Ground.with { ground in
      var people: [Ground.Person] = []
      for name in ["ada", "bob", "carl", "dora"] { people.append(try await ground.newcomer(name)) }
      _ = try ground.value("update account set disabled_at = now() where username = 'dora'")
      for person in people.prefix(3) {
        let tweet = try await ground.post("hello", by: person)
        for other in people.prefix(3) {
          #expect(try await ground.found(like(tweet, other)) == .stands)
          if other.username != person.username {
            #expect(try await ground.found(follow(person, by: other, ground)) == .relation(.stands))
          }
        }
      }
      let counts = "select follower_count || ' ' || following_count from account where username = 'carl'"
      #expect(try ground.value(counts) == "2 2")
      _ = try ground.value("delete from account where username in ('ada', 'bob', 'dora')")
      #expect(try ground.value("select string_agg(username, ' ') from account") == "carl")
      #expect(try ground.value(counts) == "0 0")
      #expect(try ground.value("select string_agg(like_count::text, ' ') from tweet") == "1")
      #expect(try ground.wrongCounts() == [])
      _ = try ground.value("delete from account")
      #expect(try ground.value("select count(*) from follow") == "0")
    }
  }

  @Test func `two hundred likes and unlikes of one tweet at once end at the right number`() async throws {
    try await Ground.with { ground in
      let author = try await ground.newcomer("author")
      let tweet = try await ground.post("hot", by: author)
      var likers: [Ground.Person] = []
      for number in 0..<20 { likers.append(try await ground.newcomer("liker\(number)")) }
      let people = likers
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          let liker = people[index % people.count]
          group.addTask {
            if index / 20 % 2 == 0 {
              _ = try await ground.found(like(tweet, liker))
            } else {
              _ = try await ground.found(UnlikeTweet(token: liker.token, id: tweet))
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try ground.wrongCounts() == [])
      for liker in people { _ = try await ground.found(like(tweet, liker)) }
      #expect(try ground.value("select like_count from tweet") == "20")
      #expect(try ground.wrongCounts() == [])
    }
  }

  @Test func `whatever happens at once, the counts are right in the end`() async throws {
    try await Ground.with(writers: 6) { ground in
      var people: [Ground.Person] = []
      var tweets: [TweetID] = []
      for number in 0..<8 { people.append(try await ground.newcomer("person\(number)")) }
      for number in 0..<12 { tweets.append(try await ground.post("\(number)", by: people[number % 4])) }
      let (everybody, all) = (people, tweets)
      // Another pool is another node: what one keeps apart on one connection meets here.
      try await TestPool.open(ground.database.target) { other in
        let nodes = [ground, Ground(database: ground.database, pool: other.pool)]
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in 0..<600 {
            let node = nodes[index % nodes.count]
            let one = everybody.randomElement()!
            let other = everybody.randomElement()!
            let tweet = all.randomElement()!
            group.addTask {
              switch index % 12 {
              case 0...2: _ = try await node.run(like(tweet, one))
              case 3, 4: _ = try await node.run(UnlikeTweet(token: one.token, id: tweet))
              case 5...7: _ = try await node.run(follow(other, by: one, ground))
              case 8, 9: _ = try await node.run(unfollow(other, by: one))
              case 10 where index % 3 == 0:
                _ = try await node.run(DeleteTweet(token: one.token, id: tweet))
              case 10:
                _ = try await node.run(EnableAccount(named: NamedAccount(other.username), stamp: ground.stamp))
              default:
                let named = NamedAccount("person\(4 + index % 4)")
                if index > 560 {
                  _ = try await node.run(DeleteNamedAccount(named: named, stamp: ground.stamp))
                } else {
                  _ = try await node.run(DisableAccount(named: named, stamp: ground.stamp))
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
      #expect(try ground.wrongCounts() == [])
      #expect(try ground.value("select count(*) from tweet_like") != "0")
      #expect(try ground.value("select count(*) from follow") != "0")
    }
  }
}

extension Ground {
  /// The counters that differ from what they count.
  func wrongCounts() throws -> [String] {
    let sql = """
      select 'likes of ' || tweet.id || ': ' || like_count from tweet where like_count <> (
        select count(*) from tweet_like join account on account.id = tweet_like.account_id and account.disabled_at is null
        where tweet_like.tweet_id = tweet.id)
      union all
      select 'followers of ' || username || ': ' || follower_count from account where follower_count <> (
        select count(*) from follow join account as other on other.id = follow.follower_id and other.disabled_at is null
        where follow.followee_id = account.id)
      union all
      select 'following of ' || username || ': ' || following_count from account where following_count <> (
        select count(*) from follow join account as other on other.id = follow.followee_id and other.disabled_at is null
        where follow.follower_id = account.id)
      union all
      select 'tweets of ' || username || ': ' || tweet_count from account where tweet_count <> (
        select count(*) from tweet where tweet.author_id = account.id)
      """
    return try rows(sql).map { $0[0]! }
  }
}
