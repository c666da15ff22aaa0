import Postgres
import Synchronization
import TestSupport
import Testing

/// A role that may look, and sees no secret.
@Suite(.timeLimit(.minutes(5))) struct ReaderRoleTests {
  private static let count = Atomic(0)

  /// Lends `body` a connection as a fresh role that was granted the views and nothing else.
  func withReader(_ database: TestDatabase, _ body: (BlockingConnection) throws -> Void) throws {
    let role = "\(database.name)_reader_\(Self.count.add(1, ordering: .relaxed).newValue)"
    let superuser = try BlockingConnection(database.superuserTarget)
    try superuser.run("create role \(role) login")
    defer { try? superuser.run("drop owned by \(role); drop role \(role)") }
    _ = try database.rows(
      "grant select on account_overview, active_session, tweet_overview, home_feed to \(role)")
    try body(BlockingConnection(database.target.with(user: role)))
  }

  @Test func `the views show people what they want to know`() async throws {
    try await Ground.with { ground in
      let ada = try await ground.newcomer("ada")
      _ = try await ground.anotherSession(of: ada, from: Ground.away, device: "Safari/26")
      _ = try await ground.newcomer("bob")
      try await ground.post(by: ada)
      try ground.change("update account set disabled_at = now() where username = 'bob'")
      try withReader(ground.database) { reader in
        let accounts = try reader.rows(
          "select username, email, email_verified, tweets, followers, following, sessions, disabled, "
            + "last_seen_at is not null from account_overview order by username")
        #expect(accounts[0] == ["ada", "ada@example.com", "f", "1", "0", "0", "2", "f", "t"])
        #expect(accounts[1] == ["bob", "bob@example.com", "f", "0", "0", "0", "1", "t", "t"])
        let sessions = try reader.rows("select username, host(ip), user_agent from active_session order by created_at")
        #expect(sessions == [["ada", "192.0.2.1", "curl/8"], ["ada", "198.51.100.7", "Safari/26"]])
      }
      try ground.change("update account set session_epoch = 2")
      #expect(try ground.value("select count(*) from active_session") == "0")
      #expect(try ground.value("select sum(sessions) from account_overview") == "0")
    }
  }

  @Test func `tweets and home feeds show what everybody may see`() async throws {
    try await Ground.with { ground in
      let (ada, bob) = try await (ground.newcomer("ada"), ground.newcomer("bob"))
      let eve = try await ground.newcomer("eve")
      for person in [ada, bob, eve, bob] { try await ground.post("by \(person.username)", by: person) }
      for followee in [bob, eve] { try ground.follow(ada, followee) }
      try ground.change("update tweet set like_count = 7 where author_id = $1", [String(eve.id)])
      try withReader(ground.database) { reader in
        let tweets = "select username, text, likes, hidden from tweet_overview order by id desc"
        #expect(
          try reader.rows(tweets) == [
            ["bob", "by bob", "0", "f"], ["eve", "by eve", "7", "f"], ["bob", "by bob", "0", "f"],
            ["ada", "by ada", "0", "f"],
          ])
        let feed = "select viewer, username, likes from timeline($1)"
        #expect(
          try reader.rows(feed, ["ADA"])
            == [["ada", "bob", "0"], ["ada", "eve", "7"], ["ada", "bob", "0"], ["ada", "ada", "0"]])
        #expect(try reader.rows(feed, ["bob"]).map { $0[1] } == ["bob", "bob"])
        #expect(try reader.rows(feed, ["nobody"]) == [])
        try ground.change("update account set disabled_at = now() where username = 'eve'")
        #expect(try reader.rows(feed, ["ada"]).map { $0[1] } == ["bob", "bob", "ada"])
        #expect(try reader.rows("select username from tweet_overview where hidden") == [["eve"]])
      }
      try ground.change(
        """
        insert into tweet (id, author_id, text, created_at)
        select gen_random_uuid(), id, 'x', now() from account, generate_series(1, 60) where username <> 'eve'
        """)
      let shown = try ground.rows("select id from timeline('ada')").map { $0[0]! }
      #expect(
        try ground.rows(
          "select tweet.id from tweet join account on account.id = author_id and disabled_at is null order by 1 desc limit 50"
        ).map { $0[0]! } == shown)
    }
  }

  @Test func `a home feed is found by indexes`() throws {
    let database = try TestDatabase.fresh()
    let connection = try BlockingConnection(database.target)
    try connection.run(CatalogueTests.population)
    try connection.run("analyze")
    for sql in [
      "select * from timeline('name7')", "select * from tweet_overview order by id desc limit 20",
      "select * from tweet_overview where username = 'name7'",
    ] {
      let plan = try connection.rows("explain (costs off) \(sql)").map { $0[0]! }
      #expect(plan.count > 3 && !plan.contains { $0.contains("Seq Scan") }, "\(plan.joined(separator: "\n"))")
    }
  }

  @Test(arguments: [
    "select * from credential", "select password_hash from credential", "select token_digest from session",
    "select id from session", "select * from account", "select * from throttle", "select * from tweet",
    "update account_overview set username = 'x'", "delete from active_session",
    "select * from follow", "delete from tweet_overview", "update home_feed set text = 'x'",
  ])
  func `the role can read and change nothing else`(sql: String) throws {
    try withReader(TestDatabase.fresh()) { reader in
      let refusal = #expect(throws: PostgresError.self) { try reader.run(sql) }
      guard case .rejected(let state, _, _) = refusal else {
        Issue.record("\(String(describing: refusal))")
        return
      }
      // insufficient_privilege, or object_not_in_prerequisite_state for a view that cannot be written at all
      #expect(state == "42501" || state == "55000")
    }
  }

  @Test func `no column of a view holds a secret`() throws {
    let database = try TestDatabase.fresh()
    let columns = try database.rows(
      """
      select attrelid::regclass::text || '.' || attname from pg_attribute
      where attrelid in ('account_overview'::regclass, 'active_session'::regclass, 'tweet_overview'::regclass,
        'home_feed'::regclass) and attnum > 0 order by 1
      """
    ).map { $0[0]! }
    #expect(
      columns == [
        "account_overview.created_at", "account_overview.disabled", "account_overview.email",
        "account_overview.email_verified", "account_overview.followers", "account_overview.following",
        "account_overview.full_name", "account_overview.id", "account_overview.last_seen_at",
        "account_overview.sessions", "account_overview.tweets", "account_overview.username",
        "active_session.created_at", "active_session.expires_at", "active_session.id", "active_session.ip",
        "active_session.last_seen_at", "active_session.user_agent", "active_session.username",
        "home_feed.created_at", "home_feed.id", "home_feed.likes", "home_feed.text", "home_feed.username",
        "home_feed.viewer", "tweet_overview.created_at", "tweet_overview.hidden", "tweet_overview.id",
        "tweet_overview.likes", "tweet_overview.text", "tweet_overview.username",
      ])
  }
}
