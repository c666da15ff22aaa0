import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CopyRowsTests {
  private let connection: BlockingConnection
  private let database: TestDatabase

  init() throws {
    database = try TestDatabase.empty()
    connection = try BlockingConnection(database.target)
    try connection.run(
      """
      create table thing (
        n integer primary key, "some text" text, at timestamptz, id uuid, constraint thing_positive check (n >= 0))
      """)
  }

  private static let columns = ["n", "some text", "at", "id"]

  @Test func `rows arrive as they were given, nulls, quotes and the empty text too`() throws {
    let id = (0..<16).map { UInt8($0) }
    try connection.copy(into: "thing", Self.columns) { (rows) throws(PostgresError) in
      for (n, text) in ["", "a'b\"c\\d\n\t\\.", "é👩‍👩‍👧"].enumerated() {
        try rows.beginRow()
        rows.append(Int32(n))
        rows.append(text)
        rows.append(millisecondsSinceEpoch: 1_764_576_000_123)
        rows.append(raw: id)
      }
      try rows.beginRow()
      rows.append(Int32.max)
      for _ in 0..<3 { rows.appendNull() }
    }
    let rows = try connection.rows(
      #"select n, "some text", (extract(epoch from at) * 1000)::bigint, id from thing order by n"#)
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    #expect(
      rows == [
        ["0", "", "1764576000123", uuid], ["1", "a'b\"c\\d\n\t\\.", "1764576000123", uuid],
        ["2", "é👩‍👩‍👧", "1764576000123", uuid], ["2147483647", nil, nil, nil],
      ])
  }

  @Test func `more rows than fit into one message arrive all, and none is an answer too`() throws {
    let text = String(repeating: "x", count: 1_000)
    try connection.copy(into: "thing", ["n", "some text"]) { (rows) throws(PostgresError) in
      for n in 0..<5_000 {
        try rows.beginRow()
        rows.append(Int32(n))
        rows.append(text)
      }
    }
    #expect(
      try connection.rows(#"select count(*), sum(n), min(length("some text")) from thing"#)
        == [["5000", "12497500", "1000"]])
    try connection.copy(into: "thing", ["n"]) { _ in }
    #expect(try connection.value("select count(*) from thing") == "5000")
  }

  @Test func `of rows of which one is refused none is kept, and the connection goes on`() throws {
    let refusal = #expect(throws: PostgresError.self) {
      try connection.copy(into: "thing", ["n"]) { (rows) throws(PostgresError) in
        for n in [1, 2, -1] as [Int32] {
          try rows.beginRow()
          rows.append(n)
        }
      }
    }
    guard case .rejected("23514", _, "thing_positive") = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(try connection.value("select count(*) from thing") == "0")
  }

  @Test func `who throws while writing leaves nothing, and the connection goes on`() throws {
    #expect(throws: PostgresError.overloaded) {
      try connection.copy(into: "thing", ["n"]) { (rows) throws(PostgresError) in
        // So many that some have been sent.
        for n in 0..<20_000 {
          try rows.beginRow()
          rows.append(Int32(n))
        }
        throw .overloaded
      }
    }
    #expect(try connection.value("select count(*) from thing") == "0")
  }

  @Test func `a table that is not there is an error of the server's`() throws {
    let refusal = #expect(throws: PostgresError.self) { try connection.copy(into: "no\"thing", ["n"]) { _ in } }
    guard case .rejected("42P01", _, _) = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(try connection.value("select 1") == "1")
  }
}
