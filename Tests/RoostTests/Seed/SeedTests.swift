import Postgres
import TestSupport
import Testing

@testable import roost

/// `roost seed` on databases of its own.
@Suite(.timeLimit(.minutes(5))) struct SeedTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase.fresh() }

  private func seed(_ arguments: String..., into database: TestDatabase? = nil) -> CommandLineRun {
    CommandLineRun(
      ["seed", "--accounts", "60", "--tweets", "300", "--follows", "400", "--likes", "200"] + arguments,
      environment: ["DATABASE_URL": (database ?? self.database).target.description])
  }

  /// Nothing of it but the sums.
  private func digest(_ database: TestDatabase) throws -> [String?] {
    try ["account", "tweet", "follow", "tweet_like", "credential"].map {
      try database.value("select md5(string_agg(t::text, chr(10) order by t::text)) from \($0) as t")
    }
  }

  @Test func `the rows are as many as asked for, and the counts are theirs`() throws {
    let run = seed("--viewers", "5,30", "--quiet-viewers", "10")
    #expect(run.code == 0 && run.err == "", "\(run.err)")
    #expect(run.out.contains("tweets      300 in ") && run.out.contains("follows     445 in "))
    func value(_ sql: String) throws -> String? { try database.value(sql) }
    #expect(try value("select count(*) from account") == "63")
    #expect(try value("select count(*) from tweet") == "300")
    #expect(try value("select count(*) from follow") == "445")
    #expect(try value("select count(*) from tweet_like") == "200")
    #expect(try value("select count(*) from credential") == "0", "nobody can log in")
    let wrong = """
      select count(*) from account where
        follower_count <> (select count(*) from follow where followee_id = account.id)
        or following_count <> (select count(*) from follow where follower_id = account.id)
        or tweet_count <> (select count(*) from tweet where author_id = account.id)
      """
    #expect(try value(wrong) == "0")
    #expect(
      try value(
        "select count(*) from tweet where like_count <> (select count(*) from tweet_like where tweet_id = tweet.id)")
        == "0")
    #expect(
      try database.rows(
        "select username, following_count from account where username !~ '^seed_0000[0-6][0-9]$' order by 1")
        == [["quiet_10", "10"], ["viewer_30", "30"], ["viewer_5", "5"]])
  }

  @Test func `ids are of version 7 and tell the times, which lie in two years that ended at midnight`() throws {
    #expect(seed().code == 0)
    for table in ["account", "tweet", "follow"] {
      let wrong = """
        select count(*) from \(table) where id::text !~ '^.{14}7.{4}[89ab]'
          or created_at <> to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
          or created_at < date_trunc('day', now() at time zone 'utc') at time zone 'utc' - interval '730 days'
          or created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
        """
      #expect(try database.value(wrong) == "0", "\(table)")
    }
    let early =
      "select count(*) from tweet join account on account.id = author_id where account.created_at > tweet.created_at"
    #expect(try database.value(early) == "0")
    #expect(
      try database.value(
        "select count(*) from tweet_like join tweet on id = tweet_id where tweet_like.created_at < tweet.created_at")
        == "0")
    #expect(try database.value("select count(distinct text) > 290 from tweet") == "t")
  }

  @Test func `the same numbers make the same rows, another seed others`() throws {
    let twin = try TestDatabase.fresh()
    let other = try TestDatabase.fresh()
    #expect(seed().code == 0 && seed(into: twin).code == 0 && seed("--seed", "2", into: other).code == 0)
    #expect(try digest(database) == digest(twin))
    #expect(try digest(database)[0] != digest(other)[0] && digest(database)[1] != digest(other)[1])
  }

  @Test func `a database with accounts is left alone, unless it is said to be meant`() throws {
    try insert("ada", "ada@example.com")
    let before = try digest(database)
    let refused = seed()
    #expect(refused.code == 1 && refused.out == "")
    #expect(refused.err.contains("has accounts already; give --yes"))
    #expect(try digest(database) == before)
    #expect(seed("--yes").code == 0)
    #expect(try database.value("select count(*) from account") == "61")
    #expect(try database.value("select tweet_count + follower_count from account where username = 'ada'") == "0")
  }

  @Test func `a database is seeded once`() throws {
    #expect(seed().code == 0)
    let before = try digest(database)
    let again = seed("--yes", "--seed", "2")
    #expect(
      again.code == 1 && again.err == "roost: nothing was changed: the database was seeded before; seed another one\n")
    #expect(try digest(database) == before)
  }

  @Test func `a name that is taken is told, and nothing is left of the rest`() throws {
    try insert("viewer_5", "v@example.com")
    let before = try digest(database)
    let refused = seed("--yes", "--viewers", "5")
    #expect(refused.code == 1 && refused.err.contains("has the name of a made-up one"), "\(refused.err)")
    #expect(try digest(database) == before)
  }

  @Test func `a database without the tables is told what to do`() throws {
    let refused = seed(into: try TestDatabase.empty())
    #expect(refused.code == 1 && refused.err.contains("run roost migrate first"), "\(refused.err)")
  }

  @Test func `numbers that cannot be are a wrong command line`() {
    let refused = seed("--viewers", "61")
    #expect(refused.code == 64)
    #expect(refused.err.contains("--viewers \"61\": give different") && refused.err.contains("See: roost seed --help"))
  }

  private func insert(_ username: String, _ email: String) throws {
    _ = try database.rows(
      "insert into account (id, username, email) values (gen_random_uuid(), $1, $2)", [username, email])
  }
}
