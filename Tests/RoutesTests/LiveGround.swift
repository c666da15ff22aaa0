import EventLoop
import Postgres
import Secrets
import Services
import Store
import TestSupport
import Values

/// A database with accounts that are signed in, and live feeds on a pool of its own.
struct LiveGround: Sendable {
  let database: TestDatabase
  let loop: Loop
  let pool: Pool
  let ids = IDSource()

  static func with<Answer>(_ body: (LiveGround) async throws -> Answer) async throws -> Answer {
    let database = try TestDatabase.fresh()
    return try await TestPool.open(database.target) { lent in
      try await body(LiveGround(database: database, loop: lent.loop, pool: lent.pool))
    }
  }

  /// A live feed that looks often; `change` sets what a test is about.
  func feed(_ change: (inout LiveFeed.Pace) -> Void = { _ in }) -> LiveFeed {
    var pace = LiveFeed.Pace()
    pace.lookMilliseconds = 10
    pace.sessionsMilliseconds = 20
    change(&pace)
    let lifetime = SessionLifetime(idleSeconds: 30 * 86_400, maxSeconds: 365 * 86_400)
    return LiveFeed(on: loop, database: Database(pool, lifetime: lifetime), ids: ids, pace: pace)
  }

  /// Somebody new, as a client that is signed in.
  func newcomer(_ username: String) throws -> Client {
    let token = SessionToken().digest
    let digits = Array("0123456789abcdef")
    let hex = String(token.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    let (account, session): (AccountID, SessionID) = (ids.next(), ids.next())
    _ = try database.rows(
      "insert into account (id, username, email) values ($1, $2, $2 || '@example.com')",
      [account.description, username])
    _ = try database.rows(
      """
      insert into session (id, account_id, token_digest, epoch, ip, expires_at)
      select $1, id, decode($3, 'hex'), session_epoch, '192.0.2.1', now() + interval '1 day' from account where id = $2
      """, [session.description, account.description, hex])
    return Client(address: ClientAddress("192.0.2.1")!, userAgent: nil, token: token, language: .english)
  }

  /// Posts tweets in one transaction, and answers their ids.
  @discardableResult
  func post(_ count: Int, by username: String) throws -> [TweetID] {
    let all: [TweetID] = (0..<count).map { _ in ids.next() }
    _ = try database.rows(
      """
      insert into tweet (id, author_id, text, created_at)
      select unnest($1::uuid[]), account.id, 'hello', now() from account where username = $2
      """, ["{" + all.map(\.description).joined(separator: ",") + "}", username])
    return all
  }

  /// Tweets that are there, as a live feed reads them.
  func tweets(_ count: Int, by username: String) async throws -> [TweetRow] {
    try await pool.run(ReadLiveTweets(ids: post(count, by: username)))
  }
}
