/// The bundled list of passwords that are tried first by those who guess (NIST SP 800-63B-4, section 3.1.1.2).
///
/// ``list`` holds them in lower case, sorted by their bytes and separated by a space or a line feed; it is compiled into
/// the binary, searched in place, and never copied.
enum CommonPasswords {
  /// Whether a password is on the list. `folded`: in Unicode form C, A to Z in lower case.
  static func contains(_ folded: [UInt8]) -> Bool {
    list.withUTF8Buffer { list in
      var low = 0
      var high = list.count
      while low < high {
        let entry = entry(around: low + (high - low) / 2, in: list)
        if list[entry].elementsEqual(folded) { return true }
        if list[entry].lexicographicallyPrecedes(folded) {
          low = entry.upperBound + 1
        } else {
          high = entry.lowerBound
        }
      }
      return false
    }
  }

  /// The entry that lies at this byte, or ends there.
  private static func entry(around place: Int, in list: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var start = place
    while start > 0, !isSeparator(list[start - 1]) { start -= 1 }
    var end = place
    while end < list.count, !isSeparator(list[end]) { end += 1 }
    return start..<end
  }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
