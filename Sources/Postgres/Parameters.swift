/// The parameters of one call, in PostgreSQL's binary formats, as libpq wants them.
///
/// One is kept per connection and filled anew for each call.
public struct Parameters {
  /// The values end to end, behind one byte that is no one's: null means null to libpq, so that even an empty value
  /// needs an address.
  private var bytes: [UInt8] = [0]
  private var ends: [Int] = []
  private var nulls: [Bool] = []

  init() {
    bytes.reserveCapacity(1_024)
  }

  mutating func removeAll() {
    bytes.removeLast(bytes.count - 1)
    ends.removeAll(keepingCapacity: true)
    nulls.removeAll(keepingCapacity: true)
  }

  private mutating func end(isNull: Bool = false) {
    ends.append(bytes.count)
    nulls.append(isNull)
  }

  /// `text`; also for types that are cast from it (`$1::text::inet`).
  public mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    end()
  }

  /// `text`, or null.
  public mutating func append(_ text: String?) {
    guard let text else { return appendNull() }
    append(text)
  }

  /// `bytea`, or any type in its binary format.
  public mutating func append(raw: some Collection<UInt8>) {
    bytes.append(contentsOf: raw)
    end()
  }

  /// `bytea`, or any type in its binary format.
  public mutating func append(raw: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: raw)
    end()
  }

  /// `integer`
  public mutating func append(_ number: Int32) {
    append(bigEndian: number.bigEndian)
  }

  /// `bigint`
  public mutating func append(_ number: Int64) {
    append(bigEndian: number.bigEndian)
  }

  /// `double precision`
  public mutating func append(_ number: Double) {
    append(bigEndian: number.bitPattern.bigEndian)
  }

  /// `boolean`
  public mutating func append(_ flag: Bool) {
    bytes.append(flag ? 1 : 0)
    end()
  }

  /// `timestamptz`, from milliseconds since 1970 in UTC.
  public mutating func append(millisecondsSinceEpoch milliseconds: Int64) {
    append(milliseconds * 1_000 - Timestamp.microsecondsTo2000)
  }

  /// `timestamptz`, from microseconds since 1970 in UTC, or null.
  public mutating func append(microsecondsSinceEpoch microseconds: Int64?) {
    guard let microseconds else { return appendNull() }
    append(microseconds - Timestamp.microsecondsTo2000)
  }

  /// `bytea[]`
  public mutating func append(byteStrings elements: [[UInt8]]) {
    appendArray(count: elements.count, type: 17)
    for element in elements {
      appendPlain(Int32(element.count))
      bytes.append(contentsOf: element)
    }
    end()
  }

  /// `uuid[]`, each as its two halves.
  public mutating func append(uuids elements: [(high: UInt64, low: UInt64)]) {
    appendArray(count: elements.count, type: 2_950)
    for element in elements {
      appendPlain(Int32(16))
      appendPlain(element.high)
      appendPlain(element.low)
    }
    end()
  }

  /// The head of a binary array: its dimensions, no nulls, the type of its elements, and how many from which index on.
  private mutating func appendArray(count: Int, type: Int32) {
    for number in [count == 0 ? 0 : 1, 0, type] { appendPlain(number) }
    if count > 0 { for number in [Int32(count), 1] { appendPlain(number) } }
  }

  private mutating func appendPlain(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Null, of any type.
  public mutating func appendNull() {
    end(isNull: true)
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    end()
  }

  typealias Arrays = (
    count: Int32, values: UnsafePointer<UnsafePointer<CChar>?>, lengths: UnsafePointer<Int32>,
    formats: UnsafePointer<Int32>
  )

  /// Lends the parameters in the form of libpq's arrays.
  func withArrays<R>(_ body: (Arrays) -> R) -> R {
    let count = ends.count
    return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count + 1) { values in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { lengths in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { formats in
          bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            var start = 1
            for index in 0..<count {
              values[index] = nulls[index] ? nil : base + start
              lengths[index] = Int32(ends[index] - start)
              formats[index] = 1
              start = ends[index]
            }
            return body(
              (Int32(count), .init(values.baseAddress!), .init(lengths.baseAddress!), .init(formats.baseAddress!)))
          }
        }
      }
    }
  }
}

enum Timestamp {
  /// From 1970 to 2000, where PostgreSQL's binary timestamps begin.
  static let microsecondsTo2000: Int64 = 946_684_800_000_000
}
