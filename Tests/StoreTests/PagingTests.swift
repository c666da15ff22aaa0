import Store
import Testing
import Values

/// Lists that are read in pages of random lengths while rows come, go and are hidden at random places.
@Suite(.timeLimit(.minutes(5))) struct PagingTests {
  enum List: String, CaseIterable, Sendable {
    case explore, feed, profileTweets, followers, following

    var isOfTweets: Bool { self == .explore || self == .feed || self == .profileTweets }
  }

  @Test(arguments: List.allCases, 0..<2)
  func `what stands throughout is on the pages exactly once and in its order`(list: List, seed: Int) async throws {
    try await Ground.with { ground in
      let world = try await World(list, on: ground, seed: UInt64(seed))
      try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask {
          var dice = Dice(seed: UInt64(seed) + 1_000)
          var count = 0
          while !Task.isCancelled {
            try world.disturb(&dice)
            count += 1
            await Task.yield()
          }
          return count
        }
        var dice = Dice(seed: UInt64(seed) + 2_000)
        for _ in 0..<6 {
          let seen = try await world.read { Int.random(in: 1...20, using: &dice) }
          #expect(seen == seen.sorted(by: >), "in order")
          #expect(Set(seen).count == seen.count, "nothing twice")
          #expect(seen.filter(world.standing.contains).count == world.standing.count, "nothing skipped")
        }
        group.cancelAll()
        let count = try await group.next()
        #expect((count ?? 0) > 20, "there was something to be disturbed by")
      }
      let truth = try world.truth()
      #expect(try await world.read { 7 } == truth)
      #expect(truth.count >= world.standing.count)
    }
  }

  /// One list of the viewer's or everybody's, with rows that stay and rows that come and go.
  struct World: Sendable {
    let list: List
    let ground: Ground
    let viewer: Ground.Person
    /// Accounts that are never disabled, and others.
    let steady: [AccountID]
    let fickle: [AccountID]
    /// The places of rows that are there from the beginning to the end.
    private(set) var standing: Set<String> = []

    init(_ list: List, on ground: Ground, seed: UInt64) async throws {
      self.list = list
      self.ground = ground
      var dice = Dice(seed: seed)
      viewer = try await ground.newcomer("ada")
      steady = try Self.accounts(60, "steady", on: ground)
      fickle = try Self.accounts(20, "fickle", on: ground)
      if list == .feed { try follow(steady + fickle) }
      let rows = (steady + fickle).map { (place: Self.place(&dice), account: $0) }
      try insert(rows)
      standing = Set(rows.prefix(steady.count).map(\.place))
    }

    /// Lets the viewer follow them.
    private func follow(_ accounts: [AccountID]) throws {
      try ground.change(
        """
        insert into follow (id, follower_id, followee_id) select gen_random_uuid(), $2, id from unnest($1::uuid[]) as id
        on conflict (follower_id, followee_id) do nothing
        """, [accounts.map { String($0) }.asArray, String(viewer.id)])
    }

    private static func accounts(_ count: Int, _ name: String, on ground: Ground) throws -> [AccountID] {
      let ids = (0..<count).map { _ in ground.ids.next() as AccountID }
      try ground.change(
        """
        insert into account (id, username, email)
        select id, $2 || n, $2 || n || '@example.com' from unnest($1::uuid[]) with ordinality as account (id, n)
        """, [ids.map { String($0) }.asArray, name])
      return ids
    }

    /// A place within three milliseconds, so that many rows have one time and new ones come between old ones.
    private static func place(_ dice: inout Dice) -> String {
      let milliseconds = 1_796_030_100_000 + UInt64.random(in: 0..<3, using: &dice)
      let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0..<0x1000, using: &dice)
      return String(TweetID(high: high, low: 1 << 63 | UInt64.random(in: 0..<1 << 62, using: &dice)))
    }

    private func insert(_ rows: [(place: String, account: AccountID)]) throws {
      let (places, accounts) = (rows.map(\.place).asArray, rows.map { String($0.account) }.asArray)
      let viewer = String(viewer.id)
      let new = "from unnest($1::uuid[], $2::uuid[]) as new (id, account_id)"
      switch list {
      case .explore, .feed, .profileTweets:
        try ground.change(
          """
          insert into tweet (id, author_id, text, created_at)
          select id, coalesce($3::uuid, account_id), 'hello', '2026-01-01' \(new)
          """, [places, accounts, list == .profileTweets ? viewer : nil])
      case .followers, .following:
        let (follower, followee) = list == .followers ? ("account_id", "$3::uuid") : ("$3::uuid", "account_id")
        try ground.change(
          """
          insert into follow (id, follower_id, followee_id, created_at)
          select id, \(follower), \(followee), '2026-01-01' \(new)
          on conflict (follower_id, followee_id) do nothing
          """, [places, accounts, viewer])
      }
    }

    /// One change that touches nothing of what stands.
    func disturb(_ dice: inout Dice) throws {
      let account = fickle.randomElement(using: &dice)!
      if list == .feed, Bool.random(using: &dice) {
        try ground.change("delete from follow where followee_id = $1", [String(account)])
        return try follow([account])
      }
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: try insert([(Self.place(&dice), account)])
      case 1:
        let table = list.isOfTweets ? "tweet" : "follow"
        try ground.change(
          "delete from \(table) where id = (select id from \(table) where not id = any ($1::uuid[]) order by random() limit 1)",
          [standing.asArray])
      default:
        try ground.change(
          "update account set disabled_at = case when disabled_at is null then now() end where id = $1",
          [String(account)])
      }
    }

    /// The places of the whole list, read in pages.
    func read(_ limit: () -> Int) async throws -> [String] {
      let name = try Username(viewer.username)
      let token = viewer.token
      switch list {
      case .explore:
        return try await ground.pages(limit) { try await ground.found(ReadExplore(token: token, page: $0)) }.places
      case .feed:
        return try await ground.pages(limit) { try await ground.found(ReadFeed(token: token, page: $0)) }.places
      case .profileTweets:
        return try await ground.pages(limit) {
          try #require(await ground.found(ListProfileTweets(token: token, username: name, page: $0)))
        }.places
      case .followers:
        return try await ground.pages(limit) {
          try #require(await ground.found(ListFollowers(token: token, username: name, page: $0)))
        }.places
      case .following:
        return try await ground.pages(limit) {
          try #require(await ground.found(ListFollowing(token: token, username: name, page: $0)))
        }.places
      }
    }

    /// What the list holds by the tables, while nobody writes.
    func truth() throws -> [String] {
      let other =
        switch list {
        case .explore, .feed, .profileTweets: "author_id"
        case .followers: "follower_id"
        case .following: "followee_id"
        }
      let table = list.isOfTweets ? "tweet" : "follow"
      return try ground.rows(
        """
        select \(table).id from \(table) join account on account.id = \(other) and account.disabled_at is null
        order by \(table).id desc
        """
      ).map { $0[0]! }
    }
  }
}

extension [TweetRow] {
  fileprivate var places: [String] { map { String($0.place) } }
}

extension [FollowRow] {
  fileprivate var places: [String] { map { String($0.place) } }
}

extension Collection<String> {
  /// As PostgreSQL writes an array of them, which must be plain.
  fileprivate var asArray: String { "{\(joined(separator: ","))}" }
}
