import Postgres
import RoostAPI
import TestSupport
import Testing

/// Nodes whose database has another schema than theirs.
@Suite(.onThreads, .timeLimit(.minutes(5))) struct OtherSchemaTests {
  let database: TestDatabase
  let server: TestServer
  let visitor: Visitor

  init() throws {
    database = try TestDatabase.fresh()
    server = try TestServer(database)
    visitor = Visitor(server)
  }

  /// What the next version does: a column, a table, its row in the list.
  private func moveOn() throws {
    try BlockingConnection(database.target).run(
      """
      alter table account add column nickname text not null default '';
      alter table tweet add column place text;
      create table hashtag (tweet_id uuid not null references tweet (id) on delete cascade, tag text not null);
      insert into schema_migration (version, name, sha256) values (\(TestTemplate.migrations.count + 1), 'next', '');
      """)
  }

  @Test func `an old node goes on beside a newer schema, and one that starts says so and serves`() throws {
    let ada = try visitor.signedUp()
    try moveOn()
    let second = try TestServer(database)
    #expect(second.log.contains(#""event":"schema_is_newer""#))
    for node in [server, second] {
      let visitor = Visitor(node, token: ada.token)
      try visitor.get("/readyz").expect(200)
      try visitor.me().expect(200)
      try visitor.tweet("Still here.").expect(201)
    }
    #expect(try database.value("select count(*) from tweet where place is null") == "2")
  }

  @Test func `a node whose database lacks what it knows is not ready`() throws {
    try visitor.get("/readyz").expect(200)
    let version = TestTemplate.migrations.count
    _ = try database.rows("delete from schema_migration where version = \(version)")
    try visitor.get("/readyz").problem(.notReady)
    try visitor.get("/healthz").expect(200)
  }
}
