@testable import Postgres
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
    let seen = pairs(
      target, defaults: [.init("application_name", "roost"), .init("connect_timeout", "5")],
      forced: [.init("client_encoding", "UTF8")])
    #expect(
      seen == [
        "dbname=postgresql://a@one/first?application_name=mine", "connect_timeout=5", "keepalives_idle=10",
        "keepalives_interval=5", "keepalives_count=4", "tcp_user_timeout=30000", "client_encoding=UTF8",
      ])
  }

  @Test func `of several hosts the one that can be written to is meant, unless another is asked for`() {
    for (text, attributes) in [
      ("postgresql://one,two/first", ["target_session_attrs=read-write"]),
      ("host=one,two target_session_attrs=any", ["target_session_attrs=read-write"]),
      ("hostaddr=127.0.0.1,127.0.0.2", ["target_session_attrs=read-write"]),
      ("host=one,two target_session_attrs=prefer-standby", []),
      ("host=one", []), ("postgresql:///first", []), ("host=one port=5432", []),
    ] {
      #expect(pairs(ConnectionTarget(text)).filter { $0.hasPrefix("target_session_attrs") } == attributes, "\(text)")
    }
  }

  @Test(arguments: [
    ("postgresql://a@one:1,two:2,three:3/b", "host=two,three,one port=2,3,1 dbname=b user=a"),
    ("host=one,two,three port=7 dbname=b user=a", "host=two,three,one port=7 dbname=b user=a"),
    ("host=one,,three port=1,,3 dbname=b user=a", "host=,three,one port=,3,1 dbname=b user=a"),
    (
      "host=one,two hostaddr=127.0.0.1,127.0.0.2 dbname=b user=a",
      "host=two,one hostaddr=127.0.0.2,127.0.0.1 port=5432 dbname=b user=a"
    ),
    ("host=one port=7 dbname=b user=a", "host=one port=7 dbname=b user=a"),
  ])
  func `hosts are tried in another order, each with its port`(text: String, expected: String) {
    #expect("\(ConnectionTarget(text).startingAtHost(1))" == expected)
    #expect("\(ConnectionTarget(text).startingAtHost(0))" == "\(ConnectionTarget(text))")
  }

  /// What libpq is given.
  private func pairs(
    _ target: ConnectionTarget, defaults: [ConnectionTarget.Keyword] = [], forced: [ConnectionTarget.Keyword] = []
  ) -> [String] {
    target.withParameters(defaults: defaults, forced: forced) { keywords, values in
      var pairs: [String] = []
      var index = 0
      while let keyword = keywords[index], let value = values[index] {
        pairs.append("\(String(cString: keyword))=\(String(cString: value))")
        index += 1
      }
      return pairs
    }
  }

  @Test func `a server that is not there is reported without the password`() {
    let target = ConnectionTarget("host=/nonexistent user=roost password=hunter22 dbname=social")
    let error = #expect(throws: PostgresError.self) { try BlockingConnection(target) }
    #expect("\(error!)".contains("/nonexistent"))
    #expect(!"\(error!)".contains("hunter22"))
  }
}
