import CPostgres

@testable import Log
@testable import Postgres
@testable import Secrets
@testable import Values

/// What comes back from the database: rows, and hashes of passwords.
extension FuzzTarget {
  static let database = [rows, phc, log]

  /// A row of each kind of column, of the size that PostgreSQL gives it, and of any content.
  private static let rows = FuzzTarget("rows") { bytes in
    let sizes: [Int] = [8, 4, 8, 16, 1, bytes.count, bytes.count]
    guard let result = PQmakeEmptyPGresult(nil, PGRES_TUPLES_OK) else { return }
    defer { PQclear(result) }
    var name = Array("column".utf8CString)
    name.withUnsafeMutableBufferPointer { name in
      var columns = sizes.map { _ in
        PGresAttDesc(
          name: name.baseAddress, tableid: 0, columnid: 0, format: 1, typid: 0, typlen: -1, atttypmod: -1)
      }
      _ = PQsetResultAttrs(result, Int32(columns.count), &columns)
    }
    var rest = bytes[...]
    for (column, size) in sizes.enumerated() {
      let isLast = column == sizes.count - 1
      var value = (isLast ? bytes : Array(rest.prefix(size)) + Array(repeating: 0, count: max(0, size - rest.count)))
        .map { CChar(bitPattern: $0) }
      rest = rest.dropFirst(size)
      holds(PQsetvalue(result, 0, Int32(column), &value, Int32(value.count)) == 1, "libpq takes it")
    }
    var row = Rows(result)[0]
    let time = row.time()
    var text: [UInt8] = []
    RFC3339.append(microsecondsSinceEpoch: time, to: &text)
    holds(text.count == RFC3339.byteCount, "every time has a text")
    _ = row.int32()
    _ = row.int64()
    let id = row.uuid()
    holds(TweetID(TweetID(high: id.high, low: id.low).description) == TweetID(high: id.high, low: id.low), "an id")
    _ = row.bool()
    _ = row.text()
    holds(row.optionalBytes() == bytes, "bytes are as they were")
  }

  /// libsodium reads the string too, where it asks for little.
  private static let phc = ofText("phc") { text in
    let hash = PasswordHash(stored: text)
    guard let parameters = hash.parameters else { return }
    holds(parameters.memoryKiB <= Argon2Parameters.memoryKiBMax, "memory has a bound")
    guard parameters.memoryKiB <= 256, parameters.passes <= 2, let password = PresentedPassword("an engine of brass")
    else { return }
    _ = Argon2.matches(password, hash)
  }

  /// A value in a line of the log ends neither its quotes nor the line.
  private static let log = ofText("log") { text in
    for end in [16, 4_096] {
      var line: [UInt8] = []
      _ = line.append(.text(text), quoted: true, end: end)
      holds(line.allSatisfy { $0 >= 0x20 && $0 != 0x7f }, "no control character")
      holds(String(validating: line, as: UTF8.self) != nil, "UTF-8 throughout")
      var isEscaped = false
      let quotes = line.count { byte in
        defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
        return byte == UInt8(ascii: "\"") && !isEscaped
      }
      holds(quotes == 2, "two quotes")
    }
  }
}
