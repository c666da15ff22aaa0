import Postgres
import Store
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct CatalogueTests {
  static let sources = URL(filePath: "../../Sources/Store", relativeTo: URL(filePath: #filePath)).standardizedFileURL

  @Test func `every statement of the Store is in the list`() throws {
    var declared: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.sources.path) where name.hasSuffix(".swift") {
      let text = String(decoding: try Data(contentsOf: Self.sources.appending(path: name)), as: UTF8.self)
      for match in text.matches(of: #/(?:struct|class|enum|actor)\s+(\w+)[^:{\n]*:[^{]*\b\w*Statement\b[^{]*\{/#) {
        declared.insert(String(match.1))
      }
    }
    #expect(declared.count >= 14)
    #expect(declared == Set(allStatements.map { "\($0)" }))
  }

  @Test func `no two statements have one name, which is what a connection knows them by`() {
    #expect(Set(allStatements.map { "\($0)" }).count == allStatements.count)
    #expect(Set(allStatements.map { $0.sql }).count == allStatements.count)
  }

  @Test(arguments: allStatements.map { Named(type: $0) })
  func `every statement is prepared on a freshly migrated database`(statement: Named) throws {
    let database = try TestDatabase.fresh()
    let connection = try BlockingConnection(database.target)
    try connection.run("prepare statement as \(statement.type.sql)")
    let unknown = "select count(*) from pg_prepared_statements where 'unknown'::regtype = any (parameter_types)"
    #expect(try connection.value(unknown) == "0", "the types are plain from the text")
  }

  @Test(arguments: allStatements.map { Named(type: $0) })
  func `a statement that says it reads is accepted where nothing may be written`(statement: Named) throws {
    let database = try TestDatabase.fresh()
    let connection = try BlockingConnection(database.target)
    try connection.run("prepare statement as \(statement.type.sql)")
    try connection.run("set default_transaction_read_only = on")
    let execution = "execute statement\(try arguments(connection))"
    switch statement.type.effect {
    case .reads: try connection.run(execution)
    case .writes:
      let refusal = #expect(throws: PostgresError.self) { try connection.run(execution) }
      guard case .rejected("25006", _, _) = refusal else {
        Issue.record("\(statement): \(String(describing: refusal))")
        return
      }
    }
  }

  @Test func `no statement of a request walks through a whole table`() throws {
    let database = try TestDatabase.fresh()
    let connection = try BlockingConnection(database.target)
    try connection.run(Self.population)
    try connection.run("analyze")
    try connection.run("set plan_cache_mode = force_generic_plan")
    for (index, statement) in allStatements.enumerated() {
      try connection.run("prepare statement\(index) as \(statement.sql)")
      let rows = try connection.rows(
        "explain (costs off) execute statement\(index)\(arguments(connection, "statement\(index)"))")
      let plan = rows.map { $0[0]! }
      #expect(plan.count > 1 || statement == ReadSchemaVersion.self)
      let walks = Self.walks(in: plan)
      #expect(walks == [], "\(statement):\n\(plan.joined(separator: "\n"))")
    }
  }

  @Test func `a walk through a table is seen in a plan`() throws {
    let database = try TestDatabase.fresh()
    let connection = try BlockingConnection(database.target)
    try connection.run(Self.population)
    try connection.run("analyze")
    func walks(_ sql: String) throws -> [String] {
      Self.walks(in: try connection.rows("explain (costs off) \(sql)").map { $0[0]! })
    }
    #expect(try walks("select * from tweet where text = 'x'") == ["Seq Scan on tweet"])
    #expect(try walks("select max(used) from throttle") == ["Seq Scan on throttle"])
    #expect(try walks("select count(id) from account").count == 1)
    #expect(try walks("select * from account where username = 'x'") == [])
    try connection.run("set enable_seqscan = off; set enable_sort = off")
    #expect(try walks("select id from session order by id").first?.contains("using session_pkey on session") == true)
  }

  struct Named: CustomTestStringConvertible, Sendable {
    let type: any Statement.Type
    var testDescription: String { "\(type)" }
  }

  /// `(null, null)` for a prepared statement of two parameters.
  private func arguments(_ connection: BlockingConnection, _ name: String = "statement") throws -> String {
    let count = try connection.value(
      "select cardinality(parameter_types) from pg_prepared_statements where name = $1", [name])
    let nulls = Array(repeating: "null", count: count.flatMap { Int($0) } ?? 0)
    return nulls.isEmpty ? "" : "(\(nulls.joined(separator: ", ")))"
  }

  /// The nodes of a plan that read all of a table: sequential scans, and scans of an index without a condition on it.
  static func walks(in plan: [String]) -> [String] {
    let tables = [
      "account", "credential", "session", "tweet", "tweet_like", "follow", "throttle", "audit_event", "link", "outbox",
      "avatar",
    ]
    var walks: [String] = []
    for (index, line) in plan.enumerated() {
      guard let match = line.firstMatch(of: #/((?:Seq|Index|Index Only|Bitmap Heap) Scan\b.* on (\w+))/#),
        tables.contains(String(match.2))
      else { continue }
      let details = plan[(index + 1)...].prefix { !$0.contains("->") }
      let isBounded = details.contains { $0.contains("Index Cond:") || $0.contains("Recheck Cond:") }
      // This index holds nothing but what is due.
      if line.contains("using outbox_due_idx") { continue }
      if line.contains("Seq Scan") || !isBounded { walks.append(String(match.1)) }
    }
    return walks
  }

  /// So many rows that PostgreSQL finds an index worth its while.
  static let population = """
    insert into account (id, username, email)
    select gen_random_uuid(), 'name' || n, 'name' || n || '@example.com' from generate_series(1, 4000) as n;
    insert into credential (account_id, password_hash) select id, '$argon2id$' from account;
    insert into session (id, account_id, token_digest, epoch, ip, expires_at)
    select gen_random_uuid(), id, sha256((id::text || n)::bytea), 1, '192.0.2.1', now() + interval '1 day'
    from account, generate_series(1, 2) as n;
    insert into tweet (id, author_id, text, created_at, idempotency_key)
    select (lpad(to_hex(row_number() over ()), 12, '0') || '70008000000000000000')::uuid, id, 'hello', now(),
           case when n = 1 then 'key' end
    from account, generate_series(1, 4) as n order by 1;
    insert into tweet_like (tweet_id, account_id) select id, author_id from tweet;
    insert into follow (id, follower_id, followee_id)
    select gen_random_uuid(), follower.id, followee.id
    from account as follower, (select id from account limit 8) as followee where follower.id <> followee.id;
    insert into audit_event (id, account_id, kind) select gen_random_uuid(), id, 'logged_in' from account;
    insert into link (token_digest, account_id, purpose, email, epoch, expires_at)
    select sha256(id::text::bytea), id, 'password_reset', 'a@b.c', 1, now() + interval '1 hour' from account;
    insert into outbox (id, account_id, recipient, kind, language, username, sent_at, next_attempt_at)
    select gen_random_uuid(), id, 'a@b.c', 'password_reset', 'en', 'ada', case n when 1 then now() end,
           now() + interval '1 hour'
    from account, generate_series(1, 2) as n;
    insert into avatar (account_id, sha256, jpeg) select id, sha256(id::text::bytea), 'x' from account;
    insert into throttle (rule, subject, used, resets_at)
    select rule, n::text, 1, now() from generate_series(1, 2000) as n,
      unnest(array['login_account', 'login_address', 'login_account_address', 'register_address', 'tweets_account']) as rule;
    """
}
