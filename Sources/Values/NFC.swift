import CUtf8proc

/// Unicode normalisation form C (UAX #15), so that one password typed on two keyboards is one sequence of bytes.
enum NFC {
  /// A text of n bytes in form C has at most 4 n bytes before: the longest known way to write two bytes in form C
  /// takes seven (U+1FBE U+0308 U+0301 for U+0390).
  static let growthMax = 4

  /// The UTF-8 bytes of the text in form C. ASCII is form C already and is copied.
  static func bytes(of text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8 }
    var codepoints = decomposed(text)
    reorder(&codepoints)
    let length = utf8proc_normalize_utf32(&codepoints, codepoints.count, options)
    return composed(codepoints[..<length])
  }

  private static let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
  /// A code point decomposes into four others at most in form C; the library's own buffers are no larger.
  private static let partsMax = 8

  private static func decomposed(_ text: String) -> [utf8proc_int32_t] {
    var codepoints: [utf8proc_int32_t] = []
    codepoints.reserveCapacity(text.utf8.count)
    var parts = [utf8proc_int32_t](repeating: 0, count: partsMax)
    var boundary: CInt = 0
    for scalar in text.unicodeScalars {
      let codepoint = utf8proc_int32_t(scalar.value)
      let count = utf8proc_decompose_char(codepoint, &parts, parts.count, options, &boundary)
      codepoints.append(contentsOf: parts[..<count])
    }
    return codepoints
  }

  /// Canonical ordering. The library's own is an insertion sort, and a text of nothing but marks would make it
  /// quadratic; this one sorts each run of marks in n log n.
  private static func reorder(_ codepoints: inout [utf8proc_int32_t]) {
    let classes = codepoints.map { utf8proc_get_property($0).pointee.combining_class }
    var start = 0
    while start < codepoints.count {
      guard classes[start] != 0 else {
        start += 1
        continue
      }
      let end = classes[start...].firstIndex(of: 0) ?? codepoints.count
      // The place is part of the key, since marks of one class must keep their order.
      let order = (start..<end).sorted { (classes[$0], $0) < (classes[$1], $1) }
      codepoints.replaceSubrange(start..<end, with: order.map { codepoints[$0] })
      start = end
    }
  }

  private static func composed(_ codepoints: ArraySlice<utf8proc_int32_t>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(codepoints.count * 2)
    for codepoint in codepoints {
      let scalar = Unicode.Scalar(UInt32(codepoint)) ?? "\u{FFFD}"
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return bytes
  }
}
