import Postgres
import TestSupport
import Testing

/// The schema as somebody meets it who looks with `psql`.
@Suite(.timeLimit(.minutes(5))) struct SchemaTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase.fresh() }

  /// The first column of each row.
  func list(_ sql: String) throws -> [String] { try database.rows(sql).map { $0[0] ?? "null" } }

  @Test func `these are the tables and views`() throws {
    let relations = try list(
      "select relkind::text || ' ' || relname from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i' "
        + "order by relkind, relname collate \"C\"")
    #expect(
      relations == [
        "r account", "r audit_event", "r avatar", "r credential", "r follow", "r link", "r outbox",
        "r schema_migration", "r session", "r throttle", "r tweet", "r tweet_like",
        "v account_overview", "v active_session", "v home_feed", "v tweet_overview",
      ], "no sequences: ids come from the nodes")
  }

  @Test func `every table, view and column of a table has a comment`() throws {
    let mute = try list(
      """
      select relname || coalesce('.' || attname, '') from pg_class
      left join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and relkind = 'r'
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
        and (coalesce(obj_description(pg_class.oid, 'pg_class'), '') = ''
          or relkind = 'r' and coalesce(col_description(pg_class.oid, attnum), '') = '')
      """)
    #expect(mute == [])
  }

  @Test func `every constraint has a name of its own that says what it is about`() throws {
    let names = try list(
      "select conrelid::regclass::text || ' ' || conname from pg_constraint where connamespace = 'public'::regnamespace "
        + "and contype <> 'n'")
    #expect(names.count > 20)
    for name in names {
      let parts = name.split(separator: " ")
      #expect(parts[1].hasPrefix("\(parts[0])_"), "\(name)")
      #expect(!parts[1].contains(#/_check\d*$|_not_null\d*$|\d$/#), "\(name) is a generated name")
    }
  }

  @Test func `every foreign key cascades, and finds its rows by an index`() throws {
    let unindexed = try list(
      """
      select conname from pg_constraint as fk
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select from pg_index where indrelid = conrelid and indkey[0] = conkey[1] and indisvalid and indpred is null)
      """)
    #expect(unindexed == [])
    let stubborn = try list(
      "select conname from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype <> 'c'"
    )
    #expect(stubborn == [])
  }

  @Test func `columns are of few types, and ids and times of one each`() throws {
    let types = try list(
      """
      select distinct format_type(atttypid, atttypmod) from pg_attribute
      join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
      where attnum > 0 and not attisdropped order by 1
      """)
    #expect(types == ["bytea", "inet", "integer", "text", "timestamp with time zone", "uuid"])
    let odd = try list(
      """
      select attname from pg_attribute join pg_class on pg_class.oid = attrelid and relkind = 'r'
      where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
        and ((attname = 'id' or attname like '%\\_id') <> (atttypid = 'uuid'::regtype)
          or (attname like '%\\_at') <> (atttypid = 'timestamptz'::regtype))
      """)
    #expect(odd == [])
  }

  @Test func `only the counters may be lost in a crash`() throws {
    #expect(try list("select relname from pg_class where relkind = 'r' and relpersistence = 'u'") == ["throttle"])
  }

  @Test(arguments: [
    ("account_username_form", "insert into account (id, username, email) values (gen_random_uuid(), 'Ada', 'a@b.c')"),
    ("account_username_form", "insert into account (id, username, email) values (gen_random_uuid(), 'a..b', 'a@b.c')"),
    ("account_username_form", "insert into account (id, username, email) values (gen_random_uuid(), 'ab', 'a@b.c')"),
    (
      "account_username_form",
      "insert into account (id, username, email) values (gen_random_uuid(), E'abc\\n', 'a@b.c')"
    ),
    ("account_email_form", "insert into account (id, username, email) values (gen_random_uuid(), 'ada', 'ab.c')"),
    ("account_email_form", "insert into account (id, username, email) values (gen_random_uuid(), 'ada', 'ä@b.c')"),
    ("account_username_key", "insert into account (id, username, email) values (gen_random_uuid(), 'grace', 'x@b.c')"),
    (
      "account_email_key",
      "insert into account (id, username, email) values (gen_random_uuid(), 'ada', 'Grace@Navy.mil')"
    ),
    ("account_full_name_size", "update account set full_name = repeat('x', 201)"),
    ("account_bio_size", "update account set bio = repeat('x', 641)"),
    ("account_avatar_sha256_size", "update account set avatar_sha256 = 'x'"),
    ("account_count_positive", "update account set tweet_count = -1"),
    ("credential_password_hash_form", "insert into credential select id, 'secret' from account"),
    (
      "session_token_digest_size",
      "insert into session (id, account_id, token_digest, epoch, ip, expires_at) "
        + "select gen_random_uuid(), id, 'x', 1, '::1', now() from account"
    ),
    ("tweet_text_size", "insert into tweet (id, author_id, text, created_at) select id, id, '', now() from account"),
    (
      "tweet_text_size",
      "insert into tweet (id, author_id, text, created_at) select id, id, repeat('x', 1121), now() from account"
    ),
    (
      "tweet_author_id_fkey",
      "insert into tweet (id, author_id, text, created_at) values (gen_random_uuid(), gen_random_uuid(), 'x', now())"
    ),
  ])
  func `the tables themselves refuse what no statement should write`(constraint: String, sql: String) throws {
    _ = try database.rows(
      "insert into account (id, username, email) values (gen_random_uuid(), 'grace', 'grace@navy.mil')")
    let refusal = #expect(throws: PostgresError.self) { try database.rows(sql) }
    guard case .rejected(_, _, constraint) = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
  }

  @Test func `with an account goes all that is its own`() throws {
    for name in ["ada", "bob"] {
      let id = "(select id from account where username = '\(name)')"
      for sql in [
        "insert into account (id, username, email) values (gen_random_uuid(), '\(name)', '\(name)@b.c')",
        "insert into credential (account_id, password_hash) values (\(id), '$argon2id$')",
        "insert into session (id, account_id, token_digest, epoch, ip, expires_at) "
          + "values (gen_random_uuid(), \(id), sha256('\(name)'), 1, '::1', now())",
        "insert into tweet (id, author_id, text, created_at) values (gen_random_uuid(), \(id), 'x', now())",
      ] { _ = try database.rows(sql) }
    }
    _ = try database.rows(
      "insert into tweet_like (tweet_id, account_id) select tweet.id, account.id from tweet, account")
    _ = try database.rows("delete from account where username = 'ada'")
    for table in ["account", "credential", "session", "tweet", "tweet_like"] {
      #expect(try database.value("select count(*) from \(table)") == "1", "\(table)")
    }
  }
}
