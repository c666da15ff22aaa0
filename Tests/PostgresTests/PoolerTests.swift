import Postgres
import TestSupport
import Testing

/// Whether a pooler is between. What happens with one, the tests of high availability see with PgBouncer.
@Suite(.timeLimit(.minutes(5))) struct PoolerTests {
  private struct CountPrepared: ReadStatement {
    static let sql = "select count(*)::integer from pg_prepared_statements"

    func bind(to parameters: inout Parameters) {}

    func decode(_ rows: Rows) -> Int {
      var row = rows[0]
      return row.int32()
    }
  }

  @Test func `PostgreSQL itself is not taken for a pooler, and keeps what is prepared`() async throws {
    let database = try TestDatabase.empty()
    #expect(try !BlockingConnection(database.target).isPooled)
    let count = try await TestPool.open(database.target) { lent in try await lent.pool.run(CountPrepared()) }
    #expect(count == 1)
  }
}
