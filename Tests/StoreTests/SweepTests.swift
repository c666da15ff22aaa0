import Postgres
import Store
import TestSupport
import Testing
import Values

/// What is over goes, in batches, and nothing else.
@Suite(.timeLimit(.minutes(5))) struct SweepTests {
  /// Rows of every kind: `over` of them over, one of each that is not.
  private func fill(_ ground: Ground, over: Int) async throws -> Ground.Person {
    let ada = try await ground.newcomer("ada")
    try ground.change("delete from audit_event")
    try ground.change("delete from outbox")
    let account = String(ada.id)
    for sql in [
      """
      insert into session (id, account_id, token_digest, epoch, expires_at, ip)
      select gen_random_uuid(), $1::uuid, sha256(n::text::bytea), 1, now() - interval '1 second', '::1'
      from generate_series(1, $2::integer) as n
      """,
      """
      insert into throttle (rule, subject, used, resets_at)
      select 'tweets_account', $1 || n, 1, now() - interval '1 second' from generate_series(1, $2::integer) as n
      union all select 'tweets_account', 'living', 1, now() + interval '1 minute'
      """,
      """
      insert into outbox (id, account_id, recipient, kind, language, username, sent_at, given_up_at)
      select gen_random_uuid(), $1::uuid, 'a@b.c', 'x', 'en', 'ada', case when n % 2 = 0 then now() - interval '8 days' end,
             case when n % 2 = 1 then now() - interval '8 days' end
      from generate_series(1, $2::integer) as n
      union all select gen_random_uuid(), null, 'sent@b.c', 'x', 'en', 'ada', now() - interval '6 days', null
      union all select gen_random_uuid(), null, 'due@b.c', 'x', 'en', 'ada', null, null
      """,
      """
      insert into audit_event (id, account_id, kind, created_at)
      select gen_random_uuid(), $1::uuid, 'logged_in', now() - interval '31 days' from generate_series(1, $2::integer) as n
      union all select gen_random_uuid(), null, 'logged_in', now() - interval '29 days'
      """,
    ] { try ground.change(sql, [account, String(over)]) }
    return ada
  }

  @Test func `what is over goes in batches, and what is not stays`() async throws {
    try await Ground.with { ground in
      let ada = try await fill(ground, over: 25)
      try ground.change("update link set expires_at = now()")
      func sweep<S: SweepStatement>(_ statement: S) async throws -> [Int] {
        var counts: [Int] = []
        repeat { counts.append(try await ground.run(statement)) } while counts.last == statement.rowsMax
        return counts
      }
      #expect(try await sweep(SweepSessions(rowsMax: 10)) == [10, 10, 5])
      #expect(try await sweep(SweepThrottle(rowsMax: 10)) == [10, 10, 5])
      #expect(try await sweep(SweepOutbox(rowsMax: 10)) == [10, 10, 5])
      #expect(try await sweep(SweepAudit(rowsMax: 10, retentionDays: 30)) == [10, 10, 5])
      #expect(try await sweep(SweepLinks(rowsMax: 10)) == [1])
      #expect(try await ground.found(ReadAccount(token: ada.token)).id == ada.id)
      #expect(try ground.used() == ["tweets_account living": 1])
      #expect(try ground.rows("select recipient from outbox order by 1") == [["due@b.c"], ["sent@b.c"]])
      #expect(try ground.value("select count(*) from audit_event where account_id is null") == "1")
      #expect(try ground.value("select count(*) from audit_event") == "1")
    }
  }

  @Test func `many nodes at once delete each row once and wait for nobody`() async throws {
    try await Ground.with { ground in
      _ = try await fill(ground, over: 60)
      let counts = try await parallel(6) { _ in try await ground.run(SweepSessions(rowsMax: 10)) }
      var deleted = counts.reduce(0, +)
      while case let more = try await ground.run(SweepSessions(rowsMax: 10)), more > 0 { deleted += more }
      #expect(deleted == 60)
      #expect(try ground.counts()["session"] == 1)
    }
  }

  @Test func `a row that somebody has in hand is left for the next time`() async throws {
    try await Ground.with { ground in
      _ = try await fill(ground, over: 3)
      let holder = try BlockingConnection(ground.database.target)
      try holder.run("begin")
      _ = try holder.rows("select from session where expires_at <= now() limit 1 for update")
      #expect(try await ground.run(SweepSessions(rowsMax: 10)) == 2)
      try holder.run("rollback")
      #expect(try await ground.run(SweepSessions(rowsMax: 10)) == 1)
    }
  }
}
