import Secrets
import Store
import Testing
import Values

/// What live feeds ask: who listens to whom, what is new, what was missed, and whose session is over.
@Suite(.timeLimit(.minutes(2))) struct LiveTests {
  /// By the author's count of followers one of two lists is walked, and both find the same.
  @Test(arguments: [0, 1, 2, 3, 1_000])
  func `the audience of authors are those of the viewers who follow them`(followers: Int) async throws {
    try await Ground.with { ground in
      let (ada, bob, cyd) = (
        try await ground.newcomer("ada"), try await ground.newcomer("bob"), try await ground.newcomer("cyd")
      )
      let (deb, eve) = (try await ground.newcomer("deb"), try await ground.newcomer("eve"))
      for (follower, followee) in [(cyd, ada), (deb, ada), (eve, ada), (cyd, bob), (ada, cyd)] {
        try ground.follow(follower, followee)
      }
      try ground.change("update account set follower_count = $1", ["\(followers)"])
      func audience(_ authors: [Ground.Person], _ viewers: [Ground.Person]) async throws -> [AccountID: Set<AccountID>]
      {
        let found = try await ground.run(ReadAudience(authors: authors.map(\.id), viewers: viewers.map(\.id)))
        for listeners in found.values { #expect(Set(listeners).count == listeners.count, "nobody twice") }
        return found.mapValues { Set($0) }
      }
      #expect(try await audience([ada, bob], [bob, cyd, deb]) == [ada.id: [cyd.id, deb.id], bob.id: [cyd.id]])
      #expect(try await audience([bob], [eve, deb]) == [:])
      #expect(try await audience([ada], []) == [:])
      #expect(try await audience([], [ada]) == [:])
    }
  }

  @Test func `sessions that are over are told by their places in the list`() async throws {
    try await Ground.with { ground in
      let good = try await ground.newcomer("ada")
      let gone = try await ground.anotherSession(of: good)
      let expired = try await ground.anotherSession(of: good)
      let disabled = try await ground.newcomer("bob")
      let renewed = try await ground.newcomer("cyd")
      let tokens = [gone, good, expired, disabled, renewed].map(\.token) + [SessionToken().digest, good.token]
      func ended() async throws -> [Int] { try await ground.run(ReadEndedSessions(tokens: tokens)).sorted() }
      #expect(try await ended() == [5])
      try ground.change("delete from session where id = $1", [String(gone.session)])
      #expect(try await ended() == [0, 5])
      try ground.change("update session set expires_at = now() where id = $1", [String(expired.session)])
      #expect(try await ended() == [0, 2, 5])
      try ground.change("update account set disabled_at = now() where username = 'bob'")
      #expect(try await ended() == [0, 2, 3, 5])
      try ground.change("update account set session_epoch = session_epoch + 1 where username = 'cyd'")
      #expect(try await ended() == [0, 2, 3, 4, 5])
      #expect(try await ground.run(ReadEndedSessions(tokens: [])) == [])
    }
  }

  @Test func `what was missed is of the home feed, after the place, oldest first, and as the viewer sees it`()
    async throws
  {
    try await Ground.with { ground in
      let (ada, bob, eve) = (
        try await ground.newcomer("ada"), try await ground.newcomer("bob"), try await ground.newcomer("eve")
      )
      let off = try await ground.newcomer("off")
      for followee in [bob, off] { try ground.follow(ada, followee) }
      try ground.follow(eve, ada)
      let place = try await ground.post("at the place", by: ada)
      let none = try await ground.found(ReadFeedSince(token: ada.token, after: place))
      #expect(none == [])
      let liked = try await ground.post("liked", by: bob)
      try await ground.post("of a stranger", by: eve)
      let other = try await ground.post("own", by: ada)
      try await ground.post("of somebody disabled", by: off)
      try ground.change("update account set disabled_at = now() where username = 'off'")
      for (tweet, liker) in [(liked, ada), (other, eve)] {
        try ground.change("insert into tweet_like values ($1, $2)", [String(tweet), String(liker.id)])
      }
      let missed = try #require(try await ground.found(ReadFeedSince(token: ada.token, after: place)))
      #expect(missed.map(\.text) == ["liked", "own"])
      #expect(missed.map(\.isLikedByViewer) == [true, false])
      #expect(missed.map(\.author.username) == ["bob", "ada"])
      try ground.change("delete from session")
      #expect(try await ground.run(ReadFeedSince(token: ada.token, after: place)) == nil)
    }
  }

  @Test func `a hundred missed tweets are sent, and no more; two thousand of anybody's are looked at`() async throws {
    try await Ground.with { ground in
      let (ada, eve) = (try await ground.newcomer("ada"), try await ground.newcomer("eve"))
      func post(_ numbers: ClosedRange<Int>, by person: Ground.Person) throws {
        try ground.change(
          """
          insert into tweet (id, author_id, text, created_at)
          select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid, n::text, now()
          from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) as n
          """, [String(person.id)])
      }
      func missed(after number: Int) async throws -> [String]? {
        let place = TweetID(
          "01900000-0000-7000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)")!
        return try await ground.found(ReadFeedSince(token: ada.token, after: place))?.map(\.text)
      }
      try post(1...101, by: ada)
      #expect(try await missed(after: 1) == (2...101).map { "\($0)" })
      #expect(try await missed(after: 0) == nil, "one more than a hundred")
      try post(102...2_101, by: eve)
      #expect(try await missed(after: 101) == [])
      #expect(try await missed(after: 100) == nil, "one more than two thousand")
    }
  }

  @Test func `new tweets are read by ids, and those that are gone or disabled are left out`() async throws {
    try await Ground.with { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      var ids: [TweetID] = []
      for index in 0..<6 { ids.append(try await ground.post("\(index)", by: index == 4 ? bob : ada)) }
      func new(after id: TweetID, limit: Int) async throws -> [TweetID] {
        try await ground.run(ReadNewTweetIDs(after: id, limit: limit))
      }
      #expect(try await new(after: ids[1], limit: 100) == Array(ids[2...]))
      #expect(try await new(after: ids[1], limit: 2) == Array(ids[2...3]))
      #expect(try await new(after: ids[5], limit: 2) == [])
      try ground.change("insert into tweet_like values ($1, $2)", [String(ids[0]), String(ada.id)])
      try ground.change("update tweet set like_count = 1 where id = $1", [String(ids[0])])
      try ground.change("delete from tweet where id = $1", [String(ids[2])])
      try ground.change("update account set disabled_at = now() where username = 'bob'")
      let live = try await ground.run(ReadLiveTweets(ids: [ids[5], ids[4], ids[2], ids[0], ids[1]]))
      #expect(live.map(\.text) == ["0", "1", "5"])
      #expect(live.map(\.likes) == [1, 0, 0] && live.allSatisfy { !$0.isLikedByViewer })
    }
  }
}
