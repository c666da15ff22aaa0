internal import Log

/// Writes one JSON document from front to back, for the answers that must be quick: nothing is looked up, boxed or
/// copied twice.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///   json.field("username", account.username)
///   json.field("fullName", account.fullName)
///   json.time("createdAt", microsecondsSinceEpoch: account.createdAt)
/// }
/// ```
///
/// Commas come by themselves. That keys stand in objects only, and that one value stands at the top, is the caller's
/// part.
public struct JSONWriter: Sendable {
  /// The document so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// - Parameter capacity: bytes to set aside at once; the document may grow past them.
  public init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes an object: as the document, or as an element of an array.
  public mutating func object(_ fields: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    fields(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array: as the document, or as an element of an array.
  public mutating func array(_ elements: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    elements(&self)
    close(UInt8(ascii: "]"))
  }

  /// Writes one element of an array, or the document; nil as null.
  public mutating func value(_ text: String?) {
    separate()
    guard var text else { return append("null") }
    text.withUTF8 { append(quoted: $0) }
  }

  /// The same for text that lies in memory as valid UTF-8.
  public mutating func value(utf8 text: UnsafeBufferPointer<UInt8>?) {
    separate()
    guard let text else { return append("null") }
    append(quoted: text)
  }

  public mutating func value(_ number: Int) {
    separate()
    append(number)
  }

  public mutating func value(_ flag: Bool) {
    separate()
    append(flag ? "true" : "false")
  }

  /// A time as RFC 3339 in UTC with three fraction digits; what is finer than a millisecond is cut off.
  public mutating func time(microsecondsSinceEpoch: Int64) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    RFC3339.append(microsecondsSinceEpoch: microsecondsSinceEpoch, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Text that `write` appends in place. It must be valid UTF-8 with nothing in it to escape, such as a UUID.
  public mutating func plain(_ write: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    write(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func append(_ literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private mutating func append(_ number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Copies the runs between what RFC 8259, section 7, wants escaped.
  private mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while start < text.count {
      let end = endOfRun(in: text, from: start)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
      if end < text.count { append(escaped: text[end]) }
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    default:
      append(byte < 0x10 ? "\\u000" : "\\u001")
      bytes.append((byte & 15) + (byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }
}

/// Fields of an object. Keys are literals of the program, hence need no escaping.
extension JSONWriter {
  /// Writes a key; its value must follow.
  public mutating func key(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(key)
    append("\":")
    needsComma = false
  }

  /// Writes a key and its value, as the `value` of the same parameters does.
  public mutating func field(_ key: StaticString, _ text: String?) {
    self.key(key)
    value(text)
  }

  public mutating func field(_ key: StaticString, utf8 text: UnsafeBufferPointer<UInt8>?) {
    self.key(key)
    value(utf8: text)
  }

  public mutating func field(_ key: StaticString, _ number: Int) {
    self.key(key)
    value(number)
  }

  public mutating func field(_ key: StaticString, _ flag: Bool) {
    self.key(key)
    value(flag)
  }

  public mutating func time(_ key: StaticString, microsecondsSinceEpoch: Int64) {
    self.key(key)
    time(microsecondsSinceEpoch: microsecondsSinceEpoch)
  }

  public mutating func plain(_ key: StaticString, _ write: (inout [UInt8]) -> Void) {
    self.key(key)
    plain(write)
  }

  public mutating func object(_ key: StaticString, _ fields: (inout JSONWriter) -> Void) {
    self.key(key)
    object(fields)
  }

  public mutating func array(_ key: StaticString, _ elements: (inout JSONWriter) -> Void) {
    self.key(key)
    array(elements)
  }
}

/// The index of the first byte from `start` on that must be escaped, or the count. Eight bytes are looked at in one go.
private func endOfRun(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
  var index = start
  let raw = UnsafeRawBufferPointer(text)
  while index + 8 <= text.count {
    if holdsEscape(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { break }
    index += 8
  }
  while index < text.count, !mustEscape(text[index]) { index += 1 }
  return index
}

private func mustEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// Whether one of eight bytes must be escaped: a byte that is less than another borrows into its own highest bit
/// (https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord).
@inline(__always)
private func holdsEscape(_ word: UInt64) -> Bool {
  let ones: UInt64 = 0x0101_0101_0101_0101
  func borrows(_ word: UInt64, below limit: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }
  let quotes = borrows(word ^ (ones &* 0x22), below: 1)
  let backslashes = borrows(word ^ (ones &* 0x5c), below: 1)
  return (borrows(word, below: 0x20) | quotes | backslashes) & (ones &* 0x80) != 0
}
