import Postgres
import Testing

@testable import roost

@Suite struct CommandLinePsqlTests {
  @Test(
    arguments: [
      (
        "postgresql://ada:p%40ss@db.example:5433/roost?sslmode=require",
        [
          "PGHOST": "db.example", "PGPORT": "5433", "PGDATABASE": "roost", "PGUSER": "ada", "PGPASSWORD": "p@ss",
          "PGSSLMODE": "require",
        ]
      ),
      (
        "host=a,b port=1,2 dbname=roost target_session_attrs=read-write",
        ["PGHOST": "a,b", "PGPORT": "1,2", "PGDATABASE": "roost", "PGTARGETSESSIONATTRS": "read-write"]
      ),
      (
        #"host='/var/lib/my socket' password='it\'s \\ it'"#,
        ["PGHOST": "/var/lib/my socket", "PGPASSWORD": #"it's \ it"#]
      ),
      ("postgresql:///roost?keepalives_idle=5", ["PGDATABASE": "roost"]),
      ("", [:]),
    ] as [(String, [String: String])])
  func `a connection string becomes variables of libpq`(text: String, expected: [String: String]) {
    #expect(LibpqEnvironment.variables(for: ConnectionTarget(text)) == expected)
  }

  @Test func `keywords go before the string, as they do in a connection`() {
    let target = ConnectionTarget("host=a dbname=b user=c").with(user: "d").with(database: "e")
    #expect(LibpqEnvironment.variables(for: target) == ["PGHOST": "a", "PGDATABASE": "e", "PGUSER": "d"])
  }
}
