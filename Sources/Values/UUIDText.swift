/// The canonical text of a UUID (RFC 9562, section 4): 8-4-4-4-12 hexadecimal digits.
enum UUIDText {
  static let hyphen = UInt8(ascii: "-")

  static func isHyphen(_ place: Int) -> Bool { place == 8 || place == 13 || place == 18 || place == 23 }

  static func nibble(_ character: UInt8) -> UInt64? {
    if character.isASCIIDigit { return UInt64(character &- 0x30) }
    let letter = (character | 0x20) &- 0x61
    return letter < 6 ? UInt64(letter) + 10 : nil
  }

  static func append(_ high: UInt64, _ low: UInt64, to text: inout [UInt8]) {
    append(high, bits: 32..<64, to: &text)
    text.append(hyphen)
    append(high, bits: 16..<32, to: &text)
    text.append(hyphen)
    append(high, bits: 0..<16, to: &text)
    text.append(hyphen)
    append(low, bits: 48..<64, to: &text)
    text.append(hyphen)
    append(low, bits: 0..<48, to: &text)
  }

  private static func append(_ word: UInt64, bits: Range<UInt64>, to text: inout [UInt8]) {
    var shift = bits.upperBound
    while shift > bits.lowerBound {
      shift -= 4
      let nibble = UInt8(truncatingIfNeeded: word >> shift & 0xF)
      text.append(nibble < 10 ? nibble &+ 0x30 : nibble &+ 0x57)
    }
  }
}
