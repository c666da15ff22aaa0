import Postgres
import TestSupport
import Testing

struct PostgresErrorTests {
  func error(_ sql: String, _ parameters: [String?] = []) throws -> PostgresError? {
    let connection = try BlockingConnection(TestCluster.target())
    try connection.run("create temporary table bird (name text constraint bird_name_key unique)")
    try connection.run("insert into bird values ('sparrow-5e6f')")
    return #expect(throws: PostgresError.self) { try connection.rows(sql, parameters) }
  }

  @Test func `a violated constraint is named, and the row's values are not told`() throws {
    let error = try error("insert into bird values ($1)", ["sparrow-5e6f"])
    guard case .rejected("23505", _, "bird_name_key") = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(error!)".contains("23505"))
    #expect(!"\(error!)".contains("sparrow-5e6f"))
    #expect(!String(reflecting: error!).contains("sparrow-5e6f"))
  }

  @Test func `a message that quotes input is dropped`() throws {
    let error = try error("select $1::uuid", ["secret-77aa"])
    #expect(error == .rejected(sqlState: "22P02", message: "", constraint: nil))
    #expect("\(error!)" == "PostgreSQL refused a statement: 22P02")
  }

  @Test func `a connection that the server ends is an unavailable database`() throws {
    let database = try TestDatabase.empty()
    let connection = try BlockingConnection(database.target)
    let pid = try connection.value("select pg_backend_pid()")
    _ = try BlockingConnection(TestCluster.target()).rows("select pg_terminate_backend($1::integer, 5000)", [pid])
    let error = #expect(throws: PostgresError.self) { try connection.run("select 1") }
    guard case .unavailable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
