internal import CPostgres

/// Rows on their way into a table, in the binary format of COPY: many times as fast as statements.
public struct CopyRows: ~Copyable {
  private let handle: OpaquePointer
  private let columnCount: Int16
  private var bytes: [UInt8] = []

  /// How much is gathered before it is sent.
  private static let chunkBytes = 64 << 10
  /// `PGCOPY` with what finds out a transfer that changed its bytes, no flags, no extension.
  private static let head: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00] + [UInt8](repeating: 0, count: 8)

  fileprivate init(_ handle: OpaquePointer, columns: Int) {
    self.handle = handle
    columnCount = Int16(columns)
    bytes.reserveCapacity(Self.chunkBytes + 4_096)
    bytes += Self.head
  }

  /// Begins a row; then one value for each column is appended, in their order.
  public mutating func beginRow() throws(PostgresError) {
    if bytes.count >= Self.chunkBytes { try send() }
    append(bigEndian: columnCount)
  }

  /// `text`
  public mutating func append(_ text: String) {
    append(bigEndian: Int32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// `integer`
  public mutating func append(_ number: Int32) {
    append(bigEndian: Int32(4))
    append(bigEndian: number)
  }

  /// `timestamptz`, from milliseconds since 1970 in UTC.
  public mutating func append(millisecondsSinceEpoch milliseconds: Int64) {
    append(bigEndian: Int32(8))
    append(bigEndian: milliseconds * 1_000 - Timestamp.microsecondsTo2000)
  }

  /// Any type in its binary format.
  public mutating func append(raw: some Collection<UInt8>) {
    append(bigEndian: Int32(raw.count))
    bytes.append(contentsOf: raw)
  }

  /// Null, of any type.
  public mutating func appendNull() {
    append(bigEndian: Int32(-1))
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func send() throws(PostgresError) {
    let result = bytes.withUnsafeBytes {
      PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
    }
    guard result == 1 else { throw PostgresError(connection: handle) }
    bytes.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func finish() throws(PostgresError) {
    append(bigEndian: Int16(-1))
    try send()
  }
}

extension BlockingConnection {
  /// Streams rows into `columns` of a table by COPY: all that `write` gives, or none when it throws or one is refused.
  public func copy(
    into table: String, _ columns: [String], _ write: (inout CopyRows) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    let names = columns.map(quotedName).joined(separator: ", ")
    try begin("copy \(quotedName(table)) (\(names)) from stdin with (format binary)")
    var rows = CopyRows(handle, columns: columns.count)
    do throws(PostgresError) {
      try write(&rows)
      try rows.finish()
    } catch {
      PQputCopyEnd(handle, "the client gave up")
      _ = try? settle()
      throw error
    }
    guard PQputCopyEnd(handle, nil) == 1 else { throw PostgresError(connection: handle) }
    try settle()
  }

  private func begin(_ sql: String) throws(PostgresError) {
    let result = PQexec(handle, sql)
    guard PQresultStatus(result) == PGRES_COPY_IN else {
      _ = try self.rows(of: result)
      throw .unavailable("the server does not take a COPY")
    }
    PQclear(result)
  }

  /// What the server says to all of it.
  private func settle() throws(PostgresError) {
    var refusal: PostgresError?
    while let result = PQgetResult(handle) {
      do throws(PostgresError) { _ = try rows(of: result) } catch { refusal = refusal ?? error }
    }
    if let refusal { throw refusal }
  }
}
