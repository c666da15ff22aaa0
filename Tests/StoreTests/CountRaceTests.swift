import Postgres
import Store
import TestSupport
import Testing
import Values

/// Likes and follows that meet each other, or the end of what they are about: by chance, and held in the midst.
///
/// One after the other, since each takes two pools.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CountRaceTests {
  @Test func `people who follow and unfollow each other at once never wait in a circle`() async throws {
    try await withoutDeadlock { nodes in
      let crowd = try await nodes[0].crowd(4)
      _ = try await parallel(400) { index in
        let follower = crowd[index % 4]
        let followee = crowd[(index + 1 + index / 4 % 3) % 4]
        let node = nodes[index / 2 % 2]
        if index / 12 % 3 == 2 {
          _ = try await node.found(node.unfollow(followee, by: follower))
        } else {
          _ = try await node.found(node.follow(followee, by: follower))
        }
      }
      #expect(try nodes[0].wrongCounts() == [])
    }
  }

  @Test func `two hundred likes of one tweet on two nodes never wait in a circle`() async throws {
    try await withoutDeadlock { nodes in
      let crowd = try await nodes[0].crowd(20)
      let tweet = try await nodes[0].post("hot", by: crowd[0])
      _ = try await parallel(200) { index in
        let (node, liker) = (nodes[index % 2], crowd[index / 2 % 20])
        if index / 40 % 3 == 1 {
          _ = try await node.found(UnlikeTweet(token: liker.token, id: tweet))
        } else {
          _ = try await node.found(node.like(tweet, by: liker))
        }
      }
      #expect(try nodes[0].wrongCounts() == [])
    }
  }

  @Test func `people who follow and like each other come and go at once, and never wait in a circle`() async throws {
    try await withoutDeadlock { nodes in
      let ground = nodes[0]
      let crowd = try await ground.crowd(10)
      // Each knows two on either side: nobody whom all know keeps them apart.
      for (index, one) in crowd.enumerated() {
        let tweet = try await ground.post("hello", by: one)
        for distance in [1, 2, 8, 9] {
          let other = crowd[(index + distance) % 10]
          _ = try await ground.found(ground.follow(one, by: other))
          _ = try await ground.found(ground.like(tweet, by: other))
        }
      }
      _ = try await parallel(240) { index in
        let (node, named) = (nodes[index % 2], NamedAccount(crowd[index / 2 % 10].username))
        if index / 20 % 2 == 0 {
          _ = try await node.run(DisableAccount(named: named, stamp: node.stamp))
        } else {
          _ = try await node.run(EnableAccount(named: named, stamp: node.stamp))
        }
      }
      #expect(try ground.wrongCounts() == [])
      for one in crowd {
        _ = try await ground.run(EnableAccount(named: NamedAccount(one.username), stamp: ground.stamp))
      }
      #expect(try ground.value("select sum(follower_count) || ' ' || sum(following_count) from account") == "40 40")
      #expect(try ground.value("select sum(like_count) from tweet") == "40")
      _ = try await parallel(6) { index in
        let node = nodes[index % 2]
        _ = try await node.run(DeleteNamedAccount(named: NamedAccount(crowd[index].username), stamp: node.stamp))
      }
      #expect(try ground.wrongCounts() == [])
      #expect(try ground.value("select count(*) from account") == "4")
    }
  }

  /// What ends an account, as SQL with its username.
  enum End: String, CaseIterable {
    case disabling = "update account set disabled_at = now() where username = $1"
    case deletion = "delete from account where username = $1"

    func statement(_ person: Ground.Person, _ ground: Ground) async throws {
      let named = NamedAccount(person.username)
      switch self {
      case .disabling: _ = try await ground.run(DisableAccount(named: named, stamp: ground.stamp))
      case .deletion: _ = try await ground.run(DeleteNamedAccount(named: named, stamp: ground.stamp))
      }
    }
  }

  @Test(arguments: End.allCases, ["ada", "bob"])
  func `a follow that waits for the end of an account is none`(end: End, ending: String) async throws {
    try await Ground.with(writers: 4) { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      let holder = try ground.holder(end.rawValue, ending)
      async let outcome = ground.found(ground.follow(bob, by: ada))
      try await ground.untilWaiting(1)
      try holder.run("commit")
      _ = try await outcome
      #expect(try ground.value("select count(*) from follow") == "0")
      #expect(try ground.wrongCounts() == [])
    }
  }

  /// The follow holds one account and waits for the other, when the first is to end.
  @Test(arguments: End.allCases, [true, false])
  func `the end of an account that waits for a follow takes it back`(end: End, isFollower: Bool) async throws {
    try await Ground.with(writers: 4) { ground in
      let pair = try await ground.crowd(2).sorted { $0.id < $1.id }
      let holder = try ground.holder("select from account where username = $1 for update", pair[1].username)
      let (follower, followee) = isFollower ? (pair[0], pair[1]) : (pair[1], pair[0])
      async let outcome = ground.found(ground.follow(followee, by: follower))
      try await ground.untilWaiting(1)
      async let ended: Void = end.statement(pair[0], ground)
      try await ground.untilWaiting(2)
      try holder.run("commit")
      #expect(try await outcome == .relation(.stands))
      try await ended
      #expect(try ground.value("select count(*) from follow") == (end == .deletion ? "0" : "1"))
      #expect(
        try ground.value("select follower_count + following_count from account where id = $1", [String(pair[1].id)])
          == "0")
      #expect(try ground.wrongCounts() == [])
    }
  }

  @Test(arguments: End.allCases, [true, false])
  func `a like that waits for the end of its liker, or an end of a like, changes nothing`(
    end: End, isLiked: Bool
  ) async throws {
    try await Ground.with(writers: 4) { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      let tweet = try await ground.post("hello", by: ada)
      if isLiked { _ = try await ground.found(ground.like(tweet, by: bob)) }
      let holder = try ground.holder(end.rawValue, "bob")
      async let change: Void = {
        if isLiked {
          _ = try await ground.found(UnlikeTweet(token: bob.token, id: tweet))
        } else {
          _ = try await ground.found(ground.like(tweet, by: bob))
        }
      }()
      try await ground.untilWaiting(1)
      try holder.run("commit")
      try await change
      #expect(try ground.value("select like_count from tweet") == "0")
      #expect(try ground.value("select count(*) from tweet_like") == (end == .disabling && isLiked ? "1" : "0"))
      #expect(try ground.wrongCounts() == [])
    }
  }

  /// The like holds its liker and waits for the tweet.
  @Test(arguments: End.allCases)
  func `the end of an account that waits for a like takes it back`(end: End) async throws {
    try await Ground.with(writers: 4) { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      let tweet = try await ground.post("hello", by: ada)
      let holder = try ground.holder("select from tweet where id = $1 for update", String(tweet))
      async let outcome = ground.found(ground.like(tweet, by: bob))
      try await ground.untilWaiting(1)
      async let ended: Void = end.statement(bob, ground)
      try await ground.untilWaiting(2)
      try holder.run("commit")
      #expect(try await outcome == .stands)
      try await ended
      #expect(try ground.value("select like_count from tweet") == "0")
      #expect(try ground.value("select count(*) from tweet_like") == (end == .deletion ? "0" : "1"))
      #expect(try ground.wrongCounts() == [])
    }
  }

  @Test(arguments: ["delete from tweet where id::text = $1", "delete from account where username = 'ada' and $1 <> ''"])
  func `a like that waits for the deletion of its tweet is none`(deletion: String) async throws {
    try await Ground.with(writers: 4) { ground in
      let (ada, bob) = (try await ground.newcomer("ada"), try await ground.newcomer("bob"))
      let tweet = try await ground.post("hello", by: ada)
      let holder = try ground.holder(deletion, String(tweet))
      async let outcome = ground.found(ground.like(tweet, by: bob))
      try await ground.untilWaiting(1)
      try holder.run("commit")
      _ = try await outcome
      #expect(try await ground.found(ground.like(tweet, by: bob)) == .nothingThere)
      #expect(try ground.value("select count(*) from tweet_like") == "0")
    }
  }
}

/// Lends two nodes on one database, and expects that nothing they did waited in a circle.
private func withoutDeadlock(_ body: ([Ground]) async throws -> Void) async throws {
  let database = try TestDatabase.fresh()
  var limits = Pool.Limits.patient
  limits.writeConnections = 6
  try await TestPool.open(database.target, limits: limits) { one in
    try await TestPool.open(database.target, limits: limits) { two in
      try await body([one, two].map { Ground(database: database, pool: $0.pool) })
    }
  }
  #expect(try await database.deadlocks() == "0")
}

extension Ground {
  fileprivate func crowd(_ count: Int) async throws -> [Person] {
    var people: [Person] = []
    for number in 0..<count { people.append(try await newcomer("person\(number)")) }
    return people
  }

  fileprivate func like(_ tweet: TweetID, by person: Person) -> LikeTweet {
    LikeTweet(token: person.token, id: tweet, allowance: Self.unlimited)
  }

  fileprivate func follow(_ followee: Person, by person: Person) throws -> FollowAccount {
    FollowAccount(
      token: person.token, username: try Username(existing: followee.username), id: ids.next(),
      allowance: Self.unlimited)
  }

  fileprivate func unfollow(_ followee: Person, by person: Person) throws -> UnfollowAccount {
    UnfollowAccount(token: person.token, username: try Username(existing: followee.username))
  }

  /// A transaction that has run one statement, and holds what that locked until it is committed.
  fileprivate func holder(_ sql: String, _ parameter: String) throws -> BlockingConnection {
    let connection = try BlockingConnection(database.target)
    try connection.run("begin")
    _ = try connection.rows(sql, [parameter])
    return connection
  }

  private struct NobodyWaits: Error {}

  /// Returns once so many statements wait for a lock.
  fileprivate func untilWaiting(_ count: Int) async throws {
    let sql = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    for _ in 0..<2_000 {
      if try value(sql) == "\(count)" { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw NobodyWaits()
  }
}
