import Postgres
import TestSupport
import Testing

struct ConnectionTargetTests {
  @Test(arguments: [
    "postgresql://roost:hunter22@db.example:6432/social?sslmode=require",
    "host=db.example port=6432 user=roost password=hunter22 dbname=social sslmode=require",
  ])
  func `a description says where, and not the password`(_ conninfo: String) {
    let target = ConnectionTarget(conninfo)
    #expect(target.isWellFormed)
    #expect("\(target)" == "host=db.example port=6432 dbname=social user=roost")
    #expect(!String(reflecting: target).contains("hunter22"))
    var dumped = ""
    dump(target, to: &dumped)
    #expect(!dumped.contains("hunter22"))
  }

  @Test(arguments: [
    "roost:hunter22@db.example/social", "postgresql://roost:hunter22/4@db.example/social", "password hunter22=1",
  ])
  func `a malformed string is refused without being quoted`(_ conninfo: String) {
    let target = ConnectionTarget(conninfo)
    #expect(!target.isWellFormed)
    #expect("\(target)" == "malformed connection string")
    #expect(throws: PostgresError.unavailable("the connection string is malformed")) { try BlockingConnection(target) }
  }

  @Test func `a database and a role can be replaced, in a URI too`() {
    let target = ConnectionTarget("postgresql://a@one,two:6432/first").with(database: "it's a \\ name").with(user: "b")
    #expect("\(target)" == "host=one,two port=,6432 dbname=it's a \\ name user=b")
  }

  @Test func `defaults yield to what the string says, and forced keywords do not`() {
    let target = ConnectionTarget("postgresql://a@one/first?application_name=mine")
    let seen = target.withParameters(
      defaults: [.init("application_name", "roost"), .init("connect_timeout", "5")],
      forced: [.init("client_encoding", "UTF8")]
    ) { keywords, values in
      var pairs: [String] = []
      var index = 0
      while let keyword = keywords[index], let value = values[index] {
        pairs.append("\(String(cString: keyword))=\(String(cString: value))")
        index += 1
      }
      return pairs
    }
    #expect(
      seen == [
        "dbname=postgresql://a@one/first?application_name=mine", "connect_timeout=5", "client_encoding=UTF8",
      ])
  }

  @Test func `a server that is not there is reported without the password`() {
    let target = ConnectionTarget("host=/nonexistent user=roost password=hunter22 dbname=social")
    let error = #expect(throws: PostgresError.self) { try BlockingConnection(target) }
    #expect("\(error!)".contains("/nonexistent"))
    #expect(!"\(error!)".contains("hunter22"))
  }
}
