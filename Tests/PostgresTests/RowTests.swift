import Postgres
import TestSupport
import Testing

/// Values on their way to PostgreSQL and back, each in its binary form.
@Suite(.timeLimit(.minutes(5))) struct RowTests {
  func run<S: Statement>(_ statement: S) async throws -> S.Answer {
    let database = try TestDatabase.empty()
    return try await TestPool.open(database.target) { try await $0.pool.run(statement) }
  }

  struct Texts: ReadStatement {
    let texts: [String]

    static let sql = """
      select $1::text, $2::text, $3::text, $4::text, octet_length($1::text), octet_length($2::text),
             octet_length($3::text), octet_length($4::text)
      """

    func bind(to parameters: inout Parameters) { for text in texts { parameters.append(text) } }
    func decode(_ rows: Rows) -> (texts: [String], sizes: [Int]) {
      var row = rows[0]
      return ((0..<4).map { _ in row.text() }, (0..<4).map { _ in row.int32() })
    }
  }

  @Test func `texts are as they were, the empty one too`() async throws {
    let texts = ["", "a'b\"c\\d\n\t\u{1}\u{7f}", "e\u{301}é👩‍👩‍👧\u{FFFD}\u{10FFFF}", String(repeating: "ß", count: 50_000)]
    let answer = try await run(Texts(texts: texts))
    #expect(answer.texts.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(answer.sizes == texts.map(\.utf8.count))
  }

  struct Bytes: ReadStatement {
    let first: [UInt8]
    let second: [UInt8]

    static let sql = "select $1::bytea, $2::bytea, octet_length($1::bytea), encode($2::bytea, 'hex')"

    func bind(to parameters: inout Parameters) {
      parameters.append(raw: first)
      second.withUnsafeBytes { parameters.append(raw: $0) }
    }
    func decode(_ rows: Rows) -> (first: [UInt8]?, second: [UInt8]?, size: Int, hex: String) {
      var row = rows[0]
      return (row.optionalBytes(), row.optionalBytes(), row.int32(), row.text())
    }
  }

  @Test func `bytes are as they were, no bytes too`() async throws {
    let all = Array(UInt8.min...UInt8.max)
    let one = try await run(Bytes(first: [], second: all))
    #expect(one.first == [] && one.second == all && one.size == 0)
    #expect(one.hex.hasPrefix("000102") && one.hex.hasSuffix("fdfeff"))
    let other = try await run(Bytes(first: all, second: []))
    #expect(other.first == all && other.second == [] && other.hex == "")
  }

  struct Nulls: ReadStatement {
    static let sql = "select $1::text, $2::bytea, $3::uuid, $1::text is null and $2 is null and $3 is null, 'end'::text"

    func bind(to parameters: inout Parameters) {
      parameters.append(nil as String?)
      parameters.appendNull()
      parameters.appendNull()
    }
    func decode(_ rows: Rows) -> [Bool] {
      var row = rows[0]
      let seen = [
        row.isNextNull, row.optionalText() == nil, row.optionalBytes() == nil, row.isNextNull,
        row.optionalUUID() == nil,
        row.bool(), row.isNextNull, row.text() == "end",
      ]
      return seen
    }
  }

  @Test func `null is null and neither empty nor zero`() async throws {
    #expect(try await run(Nulls()) == [true, true, true, true, true, true, false, true])
  }

  struct Numbers: ReadStatement {
    let small: Int32
    let large: Int64
    let double: Double

    static let sql = """
      select $1::integer, $2::bigint, $1::integer::text || ' ' || $2::bigint::text, ($3::double precision)::text
      """

    func bind(to parameters: inout Parameters) {
      parameters.append(small)
      parameters.append(large)
      parameters.append(double)
    }
    func decode(_ rows: Rows) -> (small: Int, large: Int, text: String, double: String) {
      var row = rows[0]
      return (row.int32(), row.int64(), row.text(), row.text())
    }
  }

  @Test(arguments: [
    (Int32.min, Int64.min, -0.0), (Int32.max, Int64.max, 0.1), (0, 0, 0.0), (-1, -1, -1.5), (256, 1 << 40, 1e300),
    (1, 1, .infinity), (2, 2, .nan), (3, 3, .leastNonzeroMagnitude), (4, 4, .greatestFiniteMagnitude),
  ])
  func `numbers are as they were`(small: Int32, large: Int64, double: Double) async throws {
    let answer = try await run(Numbers(small: small, large: large, double: double))
    #expect(answer.small == Int(small) && answer.large == Int(large))
    #expect(answer.text == "\(small) \(large)")
    let names = ["Infinity": Double.infinity, "NaN": .nan]
    let back = names[answer.double] ?? Double(answer.double)
    #expect(back?.bitPattern == double.bitPattern || double.isNaN && back?.isNaN == true, "\(answer.double)")
  }

  struct Flags: ReadStatement {
    let flag: Bool

    static let sql = "select $1::boolean, not $1::boolean, ($1::boolean)::text"

    func bind(to parameters: inout Parameters) { parameters.append(flag) }
    func decode(_ rows: Rows) -> (flag: Bool, opposite: Bool, text: String) {
      var row = rows[0]
      return (row.bool(), row.bool(), row.text())
    }
  }

  @Test(arguments: [true, false])
  func `a flag is as it was`(flag: Bool) async throws {
    let answer = try await run(Flags(flag: flag))
    #expect(answer.flag == flag && answer.opposite != flag && answer.text == "\(flag)")
  }

  struct Identity: ReadStatement {
    let bytes: [UInt8]

    static let sql = "select $1::uuid, $1::uuid, ($1::uuid)::text"

    func bind(to parameters: inout Parameters) { parameters.append(raw: bytes) }
    func decode(_ rows: Rows) -> (high: UInt64, low: UInt64, again: UInt64?, text: String) {
      var row = rows[0]
      let (high, low) = row.uuid()
      return (high, low, row.optionalUUID()?.low, row.text())
    }
  }

  @Test func `a UUID is two halves in network order`() async throws {
    let answer = try await run(Identity(bytes: Array(0..<15) + [255]))
    #expect(answer.high == 0x0001_0203_0405_0607 && answer.low == 0x0809_0a0b_0c0d_0eff)
    #expect(answer.again == answer.low)
    #expect(answer.text == "00010203-0405-0607-0809-0a0b0c0d0eff")
  }

  struct Moment: ReadStatement {
    let milliseconds: Int64

    static let sql = """
      select $1::timestamptz, to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'),
             $1::timestamptz + interval '1 microsecond'
      """

    func bind(to parameters: inout Parameters) { parameters.append(millisecondsSinceEpoch: milliseconds) }
    func decode(_ rows: Rows) -> (microseconds: Int64, text: String, next: Int64) {
      var row = rows[0]
      return (row.time(), row.text(), row.time())
    }
  }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00.000"), (-1, "1969-12-31 23:59:59.999"), (946_684_800_000, "2000-01-01 00:00:00.000"),
    (946_684_799_999, "1999-12-31 23:59:59.999"), (1_796_030_100_123, "2026-11-30 09:15:00.123"),
    (-62_135_596_800_000, "0001-01-01 00:00:00.000"), (253_402_300_799_999, "9999-12-31 23:59:59.999"),
  ])
  func `a time is as it was, also before 1970 and before 2000`(milliseconds: Int64, text: String) async throws {
    let answer = try await run(Moment(milliseconds: milliseconds))
    #expect(answer.microseconds == milliseconds * 1_000)
    #expect(answer.text == text)
    #expect(answer.next == milliseconds * 1_000 + 1)
  }

  struct Ends: ReadStatement {
    static let sql = "select timestamptz 'infinity', timestamptz '-infinity'"

    func bind(to parameters: inout Parameters) {}
    func decode(_ rows: Rows) -> [Int64] {
      var row = rows[0]
      return [row.time(), row.time()]
    }
  }

  @Test func `a time without end stops nothing`() async throws {
    let times = try await run(Ends())
    #expect(times[0] == .max)
    #expect(times[1] < -62_135_596_800_000_000)
  }

  struct Table: ReadStatement {
    let count: Int32

    static let sql =
      "select n, 'x'::text, case when n % 2 = 0 then n::text end from generate_series(1, $1::integer) as n"

    func bind(to parameters: inout Parameters) { parameters.append(count) }
    func decode(_ rows: Rows) -> (count: Int, first: Int?, all: [String?]) {
      var first = rows.first
      return (
        rows.count, first?.int32(),
        rows.map { row in
          row.skip(2)
          return row.optionalText()
        }
      )
    }
  }

  @Test func `rows are counted, read in order, and columns stepped over`() async throws {
    let four = try await run(Table(count: 4))
    #expect(four.count == 4 && four.first == 1 && four.all == [nil, "2", nil, "4"])
    let none = try await run(Table(count: 0))
    #expect(none.count == 0 && none.first == nil && none.all == [])
  }
}
