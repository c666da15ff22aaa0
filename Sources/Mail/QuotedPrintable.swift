/// Text of any language in lines of plain ASCII (RFC 2045, section 6.7).
enum QuotedPrintable {
  /// The longest line, without its end.
  static let lineBytesMax = 76

  /// `text` has line feeds at the ends of its lines; the answer has CR LF.
  static func encode(_ text: String) -> String {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line($0) }.joined(separator: "\r\n")
  }

  private static func line(_ bytes: Substring.UTF8View) -> String {
    var result = ""
    var length = 0
    for index in bytes.indices {
      let byte = bytes[index]
      let isLast = bytes.index(after: index) == bytes.endIndex
      let isPlain = (0x21...0x7E).contains(byte) && byte != equals || (byte == 0x20 && !isLast)
      let piece = isPlain ? String(UnicodeScalar(byte)) : "=" + hex(byte)
      // One place is kept for the "=" of a soft line end.
      if length + piece.utf8.count > lineBytesMax - 1 {
        result += "=\r\n"
        length = 0
      }
      result += piece
      length += piece.utf8.count
    }
    return result
  }

  /// Two upper-case digits.
  static func hex(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  private static let equals = UInt8(ascii: "=")
}
