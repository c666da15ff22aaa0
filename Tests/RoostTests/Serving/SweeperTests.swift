import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Every node deletes what is over.
@Suite(.onThreads) struct SweeperTests {
  @Test func `what is over is gone within a sweep, and a node stops in the middle of one`() throws {
    let nodes = try Nodes(2, settings: ["SWEEP_SECONDS": "1", "AUDIT_RETENTION_DAYS": "30"])
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    _ = try nodes.visitor(1).loggedIn(person)
    _ = try nodes.database.rows(
      "update session set expires_at = now() where id <> (select min(id::text)::uuid from session)")
    _ = try nodes.database.rows(
      """
      insert into audit_event (id, kind, created_at)
      select gen_random_uuid(), 'logged_in', now() - interval '31 days' from generate_series(1, 3000)
      """)
    let rest = "select (select count(*) from session), (select count(*) from audit_event where account_id is null)"
    for _ in 0..<100 where try nodes.database.rows(rest) != [["1", "0"]] { usleep(100_000) }
    #expect(try nodes.database.rows(rest) == [["1", "0"]])
    #expect(try nodes.database.value("select count(*) from audit_event") == "2", "what is younger stays")
    try ada.me().expect(200)
    _ = try nodes.database.rows(
      """
      insert into audit_event (id, kind, created_at)
      select gen_random_uuid(), 'logged_in', now() - interval '31 days' from generate_series(1, 200000)
      """)
    #expect(try nodes.servers[0].stop() == 0)
  }
}
