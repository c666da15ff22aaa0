/// The canonical text of a UUID (RFC 9562, section 4): 8-4-4-4-12 hexadecimal digits.
enum UUIDText {
  static let textCount = 36
  static let hyphen = UInt8(ascii: "-")

  static func isHyphen(_ place: Int) -> Bool { place == 8 || place == 13 || place == 18 || place == 23 }

  static func nibble(_ character: UInt8) -> UInt64? {
    if character.isASCIIDigit { return UInt64(character &- 0x30) }
    let letter = (character | 0x20) &- 0x61
    return letter < 6 ? UInt64(letter) + 10 : nil
  }

  static func append(_ high: UInt64, _ low: UInt64, to text: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: textCount) { characters in
      var place = 0
      for word in [high, low] {
        var shift: UInt64 = 64
        while shift > 0 {
          if isHyphen(place) {
            characters[place] = hyphen
            place += 1
          }
          shift -= 4
          let nibble = UInt8(truncatingIfNeeded: word >> shift & 0xF)
          characters[place] = nibble < 10 ? nibble &+ 0x30 : nibble &+ 0x57
          place += 1
        }
      }
      text.append(contentsOf: characters)
    }
  }
}
