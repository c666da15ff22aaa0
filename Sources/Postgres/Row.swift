internal import CPostgres

/// The rows of one answer, valid while the statement decodes them.
public struct Rows {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  /// How many rows there are.
  public var count: Int { Int(PQntuples(result)) }

  /// The row at `index`, from 0; its columns are read from the first on.
  public subscript(index: Int) -> Row { Row(result, index: Int32(index)) }

  /// The only row, or nil when there is none.
  public var first: Row? { count > 0 ? self[0] : nil }

  /// Each row in turn, as `read` makes of it.
  public func map<Element>(_ read: (inout Row) -> Element) -> [Element] {
    (0..<count).map { index in
      var row = self[index]
      return read(&row)
    }
  }
}

/// One row, read column by column in the order of the select list, in PostgreSQL's binary formats.
///
/// A column that is null where the reading says it cannot be is a mistake in the statement and stops the program, as
/// reading past the end of an array does; the tests prepare and run every statement.
public struct Row {
  private let result: OpaquePointer
  private let index: Int32
  private var column: Int32 = 0

  init(_ result: OpaquePointer, index: Int32) {
    self.result = result
    self.index = index
  }

  private mutating func next() -> UnsafeRawBufferPointer? {
    precondition(column < PQnfields(result), "the statement selects no column \(column)")
    defer { column += 1 }
    guard PQgetisnull(result, index, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
  }

  private mutating func present() -> UnsafeRawBufferPointer {
    guard let value = next() else { preconditionFailure("column \(column - 1) is null") }
    return value
  }

  private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    let value = present()
    precondition(value.count == MemoryLayout<Number>.size, "column \(column - 1) is not of \(Number.bitWidth) bits")
    return Number(bigEndian: value.loadUnaligned(as: Number.self))
  }

  /// Steps over `count` columns.
  public mutating func skip(_ count: Int = 1) { column += Int32(count) }

  /// Whether the next column is null; does not step over it.
  public var isNextNull: Bool { PQgetisnull(result, index, column) != 0 }

  /// `text`, and what is like it
  public mutating func text() -> String { String(decoding: present(), as: UTF8.self) }

  /// `text` that may be null
  public mutating func optionalText() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }

  /// `integer`
  public mutating func int32() -> Int { Int(integer(Int32.self)) }

  /// `bigint`
  public mutating func int64() -> Int { Int(integer(Int64.self)) }

  /// `boolean`
  public mutating func bool() -> Bool { present()[0] != 0 }

  /// `uuid`: its two halves, the first eight bytes in the first
  public mutating func uuid() -> (high: UInt64, low: UInt64) { Self.halves(present()) }

  /// `uuid` that may be null
  public mutating func optionalUUID() -> (high: UInt64, low: UInt64)? { next().map(Self.halves) }

  private static func halves(_ value: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
    precondition(value.count == 16, "not a uuid")
    return (
      UInt64(bigEndian: value.loadUnaligned(as: UInt64.self)),
      UInt64(bigEndian: value.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  /// `bytea` that may be null
  public mutating func optionalBytes() -> [UInt8]? { next().map { [UInt8]($0) } }

  /// `timestamptz`, as microseconds since 1970 in UTC; `infinity` is the last of them, and `-infinity` long past.
  public mutating func time() -> Int64 {
    let (time, isBeyond) = integer(Int64.self).addingReportingOverflow(Timestamp.microsecondsTo2000)
    return isBeyond ? .max : time
  }

  /// `timestamptz` that may be null, as microseconds since 1970 in UTC
  public mutating func optionalTime() -> Int64? {
    guard isNextNull else { return time() }
    skip()
    return nil
  }
}
