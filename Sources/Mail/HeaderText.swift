#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Texts in the header of a message.
enum HeaderText {
  /// The longest encoded word (RFC 2047, section 2).
  static let wordBytesMax = 75
  private static let opening = "=?UTF-8?Q?"
  private static let closing = "?="

  /// The text itself when it is short, printable ASCII; else as encoded words. `after` is how long the line is already.
  static func encoded(_ text: String, after used: Int) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    return isPlain && text.utf8.count + used <= wordBytesMax ? text : words(text, after: used)
  }

  /// A name before an address: a quoted string, or encoded words.
  static func phrase(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    return isPlain && name.utf8.count < wordBytesMax - "From: ".utf8.count
      ? "\"\(name)\"" : words(name, after: "From: ".utf8.count)
  }

  /// Encoded words, one to a line (RFC 2047).
  private static func words(_ text: String, after used: Int) -> String {
    var words: [String] = []
    var word = ""
    var room = wordBytesMax - used - opening.utf8.count - closing.utf8.count
    for scalar in text.unicodeScalars {
      // A character of several bytes must not be torn between two words.
      let piece = String(scalar).utf8.map { encoded($0) }.joined()
      if word.utf8.count + piece.utf8.count > room {
        words.append(word)
        word = ""
        room = wordBytesMax - 1 - opening.utf8.count - closing.utf8.count
      }
      word += piece
    }
    words.append(word)
    return words.map { opening + $0 + closing }.joined(separator: "\r\n ")
  }

  private static func encoded(_ byte: UInt8) -> String {
    switch byte {
    case 0x20: "_"
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
    default: "=" + QuotedPrintable.hex(byte)
    }
  }

  /// `Mon, 30 Nov 2026 09:15:00 +0000` (RFC 5322, section 3.3).
  static func date(secondsSinceEpoch seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900) "
      + "\(clock) +0000"
  }
}
