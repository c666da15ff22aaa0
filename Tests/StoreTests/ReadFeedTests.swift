import Store
import Testing
import Values

@Suite(.timeLimit(.minutes(5))) struct ReadFeedTests {
  @Test func `a feed without tweets is empty`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let page = try await ground.found(ReadFeed(token: ada.token, page: Page()))
      #expect(page.items == [] && page.next == nil)
    }
  }

  @Test func `a page is as long as asked for, newest first, and tells where the next one begins`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let bob = try await ground.newcomer("bob")
      var ids: [TweetID] = []
      for index in 0..<5 {
        ids.append(try await ground.post("ada \(index)", by: ada))
        try await ground.post("bob \(index)", by: bob)
      }
      ids.reverse()
      func page(_ limit: Int, before: TweetID? = nil) async throws -> Listed<TweetRow> {
        try await ground.found(ReadFeed(token: ada.token, page: Page(limit: limit, before: before)))
      }
      let first = try await page(2)
      #expect(first.items.map(\.id) == Array(ids[0..<2]) && first.next == ids[1])
      #expect(first.items.map(\.text) == ["ada 4", "ada 3"])
      #expect(first.items[0].author.username == "ada")
      let second = try await page(2, before: first.next)
      #expect(second.items.map(\.id) == Array(ids[2..<4]) && second.next == ids[3])
      let third = try await page(2, before: second.next)
      #expect(third.items.map(\.id) == [ids[4]] && third.next == nil)
      let all = try await page(5)
      #expect(all.items.map(\.id) == ids && all.next == nil, "a page that is just full is the last one")
      #expect(try await page(100).items.map(\.id) == ids)
      let beyond = try await page(2, before: ids[4])
      #expect(beyond.items == [] && beyond.next == nil)
    }
  }

  @Test func `a page that begins at a tweet that was deleted goes on where it stood`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      var ids: [TweetID] = []
      for index in 0..<4 { ids.append(try await ground.post("\(index)", by: ada)) }
      _ = try await ground.found(DeleteTweet(token: ada.token, id: ids[2]))
      let page = try await ground.found(ReadFeed(token: ada.token, page: Page(before: ids[2])))
      #expect(page.items.map(\.text) == ["1", "0"])
    }
  }

  @Test(arguments: 0..<5)
  func `who pages while others write misses nothing and sees nothing twice`(seed: Int) async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      let phone = try await ground.anotherSession(of: ada)
      var present: Set<TweetID> = []
      for index in 0..<120 { present.insert(try await ground.post("old \(index)", by: ada)) }
      let existed = present

      var dice = Dice(seed: UInt64(seed))
      var seen: [TweetID] = []
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var index = 0
          while !Task.isCancelled {
            let id = try await ground.post("new \(index)", by: phone)
            if index % 2 == 0 { _ = try await ground.found(DeleteTweet(token: phone.token, id: id)) }
            index += 1
          }
        }
        var before: TweetID?
        repeat {
          let limit = Int.random(in: 1...25, using: &dice)
          let page = try await ground.found(ReadFeed(token: ada.token, page: Page(limit: limit, before: before)))
          #expect(page.items.count <= limit)
          #expect(page.next == nil || page.items.count == limit)
          seen += page.items.map(\.id)
          before = page.next
        } while before != nil
        group.cancelAll()
      }
      #expect(seen == seen.sorted(by: >))
      #expect(Set(seen).count == seen.count, "nothing twice")
      #expect(existed.subtracting(seen) == [], "nothing skipped")
    }
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
