import Services
import Store
import TestSupport
import Testing
import Values

/// A live feed whose limits are small and whose times are short.
@Suite(.timeLimit(.minutes(1))) struct LivePaceTests {
  /// How a new stream of this client's is refused; nil: it is opened.
  private func refusal(of client: Client, by feed: LiveFeed) async -> String? {
    do throws(Failure) {
      _ = try await feed.open(from: .now, as: client)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `a stream without news beats, and one with news does not in between`() async throws {
    try await LiveGround.with { ground in
      let ada = try ground.newcomer("ada")
      let feed = ground.feed { $0.beatMilliseconds = 100 }
      let stream = try await feed.open(from: .now, as: ada)
      for _ in 0..<3 {
        let start = ContinuousClock.now
        #expect(await feed.next(stream) == .beat)
        #expect(ContinuousClock.now - start >= .milliseconds(90))
      }
      let quick = ground.feed { $0.beatMilliseconds = 600_000 }
      let other = try await quick.open(from: .now, as: ada)
      let ids = try ground.post(3, by: "ada")
      for id in ids { #expect(await quick.next(other)?.tweet == id) }
      await quick.stop()
      #expect(await quick.next(other) == nil)
      await feed.stop()
    }
  }

  @Test func `a stream that nobody reads is dropped, and one that waits for news is not`() async throws {
    try await LiveGround.with { ground in
      let (ada, bob) = (try ground.newcomer("ada"), try ground.newcomer("bob"))
      let feed = ground.feed {
        $0.readerMilliseconds = 3_000
        $0.beatMilliseconds = 600_000
      }
      // The one that is read is the older of the two: when the other's time is over, so would be its own.
      let read = try await feed.open(from: .now, as: bob)
      async let event = feed.next(read)
      let idle = try await feed.open(from: .now, as: ada)
      while await feed.count > 1 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(await feed.next(idle) == nil)
      let id = try ground.post(1, by: "bob")
      let tweet = await event?.tweet
      #expect(tweet == id[0])
      await feed.stop()
    }
  }

  @Test func `streams of all and of one account are limited, and one that ends makes room`() async throws {
    try await LiveGround.with { ground in
      let (ada, bob) = (try ground.newcomer("ada"), try ground.newcomer("bob"))
      let feed = ground.feed {
        $0.streamsMax = 3
        $0.streamsPerAccountMax = 2
      }
      let first = try await feed.open(from: .now, as: ada)
      _ = try await feed.open(from: .now, as: ada)
      #expect(
        await refusal(of: ada, by: feed)
          == #"tooManyRequests(Store.SpentLimit(rule: "live_account", retryAfterSeconds: 15))"#)
      _ = try await feed.open(from: .now, as: bob)
      #expect(await refusal(of: bob, by: feed) == "overloaded")
      await feed.close(first)
      await feed.close(first)
      #expect(await feed.count == 2)
      _ = try await feed.open(from: .now, as: ada)
      await feed.stop()
      #expect(await feed.count == 0)
      #expect(await refusal(of: ada, by: feed) == "overloaded")
    }
  }

  @Test func `more tweets at once than are sent one by one make all readers reload`() async throws {
    try await LiveGround.with { ground in
      let ada = try ground.newcomer("ada")
      let feed = ground.feed { $0.tweetsMax = 3 }
      let stream = try await feed.open(from: .now, as: ada)
      let few = try ground.post(3, by: "ada")
      for id in few { #expect(await feed.next(stream)?.tweet == id) }
      try ground.post(4, by: "ada")
      guard case .reload(let place) = await feed.next(stream) else {
        Issue.record("no reload")
        return
      }
      #expect(place > few[2])
      let after = try ground.post(1, by: "ada")
      #expect(await feed.next(stream)?.tweet == after[0])
      await feed.stop()
    }
  }

  @Test func `of more streams than one statement looks at, those end whose session is over`() async throws {
    try await LiveGround.with { ground in
      let (ada, bob) = (try ground.newcomer("ada"), try ground.newcomer("bob"))
      let feed = ground.feed { $0.streamsPerAccountMax = 2_000 }
      var (hers, his): ([LiveStreamID], [LiveStreamID]) = ([], [])
      for _ in 0..<1_100 { hers.append(try await feed.open(from: .now, as: ada)) }
      for _ in 0..<20 { his.append(try await feed.open(from: .now, as: bob)) }
      _ = try ground.database.rows(
        "delete from session using account where account.id = session.account_id and username = 'bob'")
      for stream in his { #expect(await feed.next(stream) == .signedOut) }
      for stream in his { #expect(await feed.next(stream) == nil) }
      let id = try ground.post(1, by: "ada")
      var right = 0
      for stream in hers where await feed.next(stream)?.tweet == id[0] { right += 1 }
      #expect(right == hers.count)
      await feed.stop()
    }
  }

  @Test func `who listens after a pause of everybody hears only what is new then`() async throws {
    try await LiveGround.with { ground in
      let ada = try ground.newcomer("ada")
      let feed = ground.feed()
      for _ in 0..<3 {
        let stream = try await feed.open(from: .now, as: ada)
        let id = try ground.post(1, by: "ada")
        #expect(await feed.next(stream)?.tweet == id[0])
        await feed.close(stream)
        try ground.post(1, by: "ada")
      }
      await feed.stop()
    }
  }
}

extension LiveEvent {
  fileprivate var tweet: TweetID? {
    if case .tweet(let tweet) = self { tweet.id } else { nil }
  }
}
