import Postgres
import Store
import TestSupport
import Testing
import Values

/// The home feed of somebody who follows others.
@Suite(.timeLimit(.minutes(5))) struct FollowedFeedTests {
  @Test func `a followed account's whole history is there at once, and gone when it is followed no more`() async throws
  {
    try await Ground.with { ground in
      let (ada, bob, eve) = try await ground.three()
      for text in ["one", "two"] {
        try await ground.post("\(text) by ada", by: ada)
        try await ground.post("\(text) by bob", by: bob)
        try await ground.post("\(text) by eve", by: eve)
      }
      #expect(try await ground.texts(ada) == ["two by ada", "one by ada"])
      try ground.follow(ada, bob)
      try ground.follow(eve, ada)
      #expect(try await ground.texts(ada) == ["two by bob", "two by ada", "one by bob", "one by ada"])
      #expect(try await ground.texts(bob) == ["two by bob", "one by bob"], "following goes one way")
      let all = try await ground.found(ReadFeed(token: ada.token, page: Page()))
      #expect(all.items.map(\.author.username) == ["bob", "ada", "bob", "ada"])
      #expect(all.items[0].author.id == bob.id && all.next == nil)
      try ground.change("delete from follow where follower_id = $1", [String(ada.id)])
      #expect(try await ground.texts(ada) == ["two by ada", "one by ada"])
    }
  }

  @Test(arguments: [0, 1_000])
  func `a disabled author's tweets are left out at once, and come back`(walk: Int) async throws {
    try await Ground.with { ground in
      let (ada, bob, eve) = try await ground.three()
      try ground.follow(ada, bob)
      try ground.follow(ada, eve)
      try ground.walk(walk, for: ada)
      for number in 0..<3 {
        for person in [bob, eve] { try await ground.post("\(person.username) \(number)", by: person) }
      }
      try ground.change("update account set disabled_at = now() where username = 'eve'")
      let page = try await ground.found(ReadFeed(token: ada.token, page: Page(limit: 3)))
      #expect(page.items.map(\.text) == ["bob 2", "bob 1", "bob 0"] && page.next == nil)
      try ground.change("update account set disabled_at = null")
      let back = try await ground.found(ReadFeed(token: ada.token, page: Page(limit: 3)))
      #expect(back.items.map(\.text) == ["eve 2", "bob 2", "eve 1"] && back.next == back.items[2].id)
    }
  }

  @Test func `likes are those of the viewer`() async throws {
    try await Ground.with { ground in
      let (ada, bob, eve) = try await ground.three()
      try ground.follow(ada, bob)
      try ground.follow(eve, bob)
      let id = try await ground.post("hello", by: bob)
      try ground.change("insert into tweet_like values ($1, $2)", [String(id), String(eve.id)])
      let forAda = try await ground.found(ReadFeed(token: ada.token, page: Page()))
      let forEve = try await ground.found(ReadFeed(token: eve.token, page: Page()))
      #expect(forAda.items.map(\.isLikedByViewer) == [false] && forEve.items.map(\.isLikedByViewer) == [true])
    }
  }

  /// Random follows, tweets of few milliseconds, deletions and disablings; then each page against a query that has
  /// nothing in common with the statement's but the tables.
  @Test(arguments: 0..<6)
  func `every page of every feed is what the tables say`(seed: Int) async throws {
    try await Ground.with { ground in
      var dice = Dice(seed: UInt64(seed))
      let viewers = try await [ground.newcomer("ada"), ground.newcomer("bob")]
      try ground.change(
        """
        insert into account (id, username, email)
        select gen_random_uuid(), 'name' || n, 'name' || n || '@example.com' from generate_series(1, 30) as n
        """)
      // Of three milliseconds only, so that ids must tell equal times apart.
      try ground.change(
        """
        insert into tweet (id, author_id, text, created_at)
        select (lpad(to_hex(1796030100000 + n % 3), 12, '0') || '70008' || left(md5(n || $1), 15))::uuid,
               everybody.ids[n % 32 + 1], 'hello', '2026-01-01'
        from generate_series(1, 160) as n, (select array_agg(id) as ids from account) as everybody
        """, ["\(seed)"])
      var most = 0
      for _ in 0..<12 {
        for _ in 0..<Int.random(in: 1...12, using: &dice) { try ground.disturb(&dice) }
        for viewer in viewers {
          // How far the walk goes before accounts are asked; it must not matter.
          try ground.walk(Int.random(in: 0...20, using: &dice), for: viewer)
          let truth = try ground.rows(
            """
            select tweet.id, author.username from tweet join account as author on author.id = tweet.author_id
            where author.disabled_at is null and (author.id = $1 or exists (
              select from follow where follow.follower_id = $1 and follow.followee_id = author.id))
            order by tweet.id desc
            """, [String(viewer.id)])
          let read = try await ground.pages({ Int.random(in: 1...9, using: &dice) }) { page in
            try await ground.found(ReadFeed(token: viewer.token, page: page))
          }
          #expect(read.map { [String($0.id), $0.author.username] } == truth)
          most = max(most, truth.count)
        }
      }
      #expect(most > 9, "more than the longest page")
    }
  }

  @Test func `the walk ends with the page, and only a walk in vain asks the accounts`() throws {
    let stage = try PlanStage()
    let dense = try stage.plan("dense")
    #expect(dense.walked < 60, "every other tweet is by somebody who is followed")
    #expect(dense.asked == 0)
    let quiet = try stage.plan("quiet")
    #expect(quiet.walked == ReadFeed.walkedForEachAccount * 201)
    #expect(quiet.asked == 201)
    for plan in [dense, quiet] {
      #expect(
        !plan.text.contains(#/Seq Scan on (tweet|account|follow)\b(?!_)/#) && !plan.text.contains("Gather"),
        "\(plan.text)")
      #expect(plan.looked < 100, "accounts are looked up for the page, not for all that are followed")
    }
  }
}

extension Ground {
  fileprivate func three() async throws -> (Person, Person, Person) {
    try await (newcomer("ada"), newcomer("bob"), newcomer("eve"))
  }

  fileprivate func texts(_ person: Person) async throws -> [String] {
    try await found(ReadFeed(token: person.token, page: Page())).items.map(\.text)
  }

  /// Has the walk through everybody's tweets go so far for the viewer.
  fileprivate func walk(_ count: Int, for person: Person) throws {
    try change("update account set following_count = $2 where id = $1", [String(person.id), "\(count)"])
  }

  fileprivate func disturb(_ dice: inout Dice) throws {
    let anybody = "(select id from account order by md5(id::text || '\(dice.next())') limit 1)"
    switch Int.random(in: 0..<12, using: &dice) {
    case 0..<5:
      let high = 1_796_030_100_000 + UInt64.random(in: 0..<3, using: &dice)
      let id = TweetID(high: high << 16 | 0x7000, low: 1 << 63 | UInt64.random(in: 0..<1 << 62, using: &dice))
      try change(
        "insert into tweet (id, author_id, text, created_at) values ($1, \(anybody), 'hello', '2026-01-01')",
        [String(id)])
    case 5..<9:
      let viewer = Bool.random(using: &dice) ? "ada" : "bob"
      try change(
        """
        insert into follow (id, follower_id, followee_id)
        select gen_random_uuid(), viewer.id, followee.id from account as viewer, \(anybody) as followee
        where viewer.username = $1 and viewer.id <> followee.id on conflict do nothing
        """, [viewer])
    case 9:
      try change(
        "delete from follow where id = (select id from follow order by md5(id::text || '\(dice.next())') limit 1)")
    case 10:
      try change(
        "delete from tweet where id = (select id from tweet order by md5(id::text || '\(dice.next())') limit 1)")
    default:
      try change(
        """
        update account set disabled_at = case when disabled_at is null then now() end
        where id = \(anybody) and username like 'name%'
        """)
    }
  }
}

/// Two viewers among 2,000 accounts with 8,000 tweets: one follows those who tweet, the other those who do not.
private struct PlanStage {
  let connection: BlockingConnection
  private let database: TestDatabase

  init() throws {
    database = try TestDatabase.fresh()
    connection = try BlockingConnection(database.target)
    try connection.run(
      """
      insert into account (id, username, email, following_count)
      select gen_random_uuid(), name, name || '@example.com', case when name in ('dense', 'quiet') then 200 else 0 end
      from (select 'name' || n from generate_series(1, 2000) as n union all values ('dense'), ('quiet')) as made (name);
      insert into session (id, account_id, token_digest, epoch, ip, expires_at)
      select gen_random_uuid(), id, sha256(username::bytea), 1, '192.0.2.1', now() + interval '1 day' from account;
      insert into tweet (id, author_id, text, created_at)
      select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, account.id, 'hello', now()
      from generate_series(1, 8000) as n join account on username = 'name' || (n % 400 + 1);
      insert into follow (id, follower_id, followee_id)
      select gen_random_uuid(), viewer.id, account.id from account as viewer, account
      where viewer.username = 'dense' and account.username in (select 'name' || n * 2 from generate_series(1, 200) as n)
         or viewer.username = 'quiet' and account.username in (select 'name' || n + 400 from generate_series(1, 200) as n);
      insert into follow (id, follower_id, followee_id)
      select gen_random_uuid(), follower.id, followee.id from account as follower, account as followee
      where follower.username like 'name%' and followee.username like 'name_' and follower.id <> followee.id;
      """)
    // Each statement by itself: VACUUM takes no company.
    for table in ["account", "session", "tweet", "follow", "tweet_like"] {
      try connection.run("vacuum (analyze) \(table)")
    }
    try connection.run("set plan_cache_mode = force_generic_plan")
    try connection.run("prepare feed as \(ReadFeed.sql)")
  }

  struct Plan {
    let text: String
    /// How many tweets the walk came past, how many accounts were asked for their latest, and how many looked up.
    let walked: Int
    let asked: Int
    let looked: Int
  }

  func plan(_ viewer: String) throws -> Plan {
    let lines = try connection.rows(
      "explain (analyze, costs off, timing off, summary off) execute feed (sha256('\(viewer)'), null, 21)"
    ).map { $0[0]! }
    func counts(_ pattern: Regex<(Substring, rows: Substring, loops: Substring)>) -> [(rows: Int, loops: Int)] {
      lines.compactMap { line in
        line.firstMatch(of: pattern).map { (Int($0.rows) ?? 0, Int($0.loops) ?? 0) }
      }
    }
    let walk = counts(#/Index Scan Backward using tweet_pkey .*rows=(?<rows>\d+)\S* loops=(?<loops>\d+)/#)
    let probes = counts(#/Index Only Scan using tweet_author_id_id_idx .*rows=(?<rows>\d+)\S* loops=(?<loops>\d+)/#)
    let accounts = counts(#/using account_pkey on .*rows=(?<rows>\d+)\S* loops=(?<loops>\d+)/#)
    return Plan(
      text: lines.joined(separator: "\n"), walked: walk.map(\.rows).reduce(0, +),
      asked: probes.map(\.loops).max() ?? 0, looked: accounts.map(\.loops).reduce(0, +))
  }
}
