/// The rule for text written by people: trimmed, measured, free of characters that deceive the reader.
struct Prose {
  let graphemesMax: Int
  let allowsLineFeeds: Bool

  /// So that one grapheme cluster of a thousand marks cannot pass for one character.
  var bytesMax: Int { graphemesMax * 4 }

  /// The text without white space at its ends and with CRLF as LF; else as it was sent. Nil when nothing in it can
  /// be seen. Takes time in proportion to the text, and counts graphemes only within the bytes allowed.
  ///
  /// Faults: `forbidden_character`, `too_long`.
  func read(_ text: String) throws(Fault) -> String? {
    let trimmed = Self.trimmed(text.unicodeScalars)
    var kept = String.UnicodeScalarView()
    var bytes = 0
    var scalars = 0
    var isVisible = false
    var index = trimmed.startIndex
    while index < trimmed.endIndex {
      let scalar = trimmed[index]
      index = trimmed.index(after: index)
      if scalar == "\r", index < trimmed.endIndex, trimmed[index] == "\n" { continue }
      try admit(scalar)
      bytes += UTF8.width(scalar)
      guard bytes <= bytesMax else { throw tooLong }
      scalars += 1
      kept.append(scalar)
      isVisible = isVisible || Self.isVisible(scalar)
    }
    guard isVisible else { return nil }
    let answer = String(kept)
    // In ASCII without CRLF each byte is a cluster.
    let graphemes = bytes == scalars ? bytes : answer.count
    guard graphemes <= graphemesMax else { throw tooLong }
    return answer
  }

  private var tooLong: Fault { Fault(.tooLong, "Use at most \(graphemesMax) characters.") }

  private func admit(_ scalar: Unicode.Scalar) throws(Fault) {
    switch scalar.value {
    case 0x0A where allowsLineFeeds: return
    case 0x0A, 0x0D, 0x85: throw Fault(.forbiddenCharacter, allowsLineFeeds ? Self.control : "Write one line.")
    case 0x2028, 0x2029: if !allowsLineFeeds { throw Fault(.forbiddenCharacter, "Write one line.") }
    case 0...0x1F, 0x7F...0x9F: throw Fault(.forbiddenCharacter, Self.control)
    case 0x202A...0x202E, 0x2066...0x2069:
      throw Fault(.forbiddenCharacter, "Leave out characters that change the direction of the text.")
    default: return
    }
  }

  private static let control = "Leave out control characters."

  private static func trimmed(_ text: String.UnicodeScalarView) -> Substring.UnicodeScalarView {
    guard let first = text.firstIndex(where: { !$0.isWhiteSpace }),
      let last = text.lastIndex(where: { !$0.isWhiteSpace })
    else { return text[text.endIndex...] }
    return text[first...last]
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isWhiteSpace && !scalar.properties.isDefaultIgnorableCodePoint
  }
}
