/// Base 64 with the URL-safe alphabet and without padding (RFC 4648, section 5), for exactly 32 bytes.
enum Base64URL {
  static let textCount = 43

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let invalid: UInt8 = 0xFF
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  static func append(_ octets: Octets32, to text: inout [UInt8]) {
    octets.withBytes { bytes in
      var bits: UInt32 = 0
      var count: UInt32 = 0
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
          count -= 6
          text.append(alphabet[Int(bits >> count & 63)])
        }
      }
      // 256 bits are 42 characters and four bits; two zero bits fill the last one.
      text.append(alphabet[Int(bits << 2 & 63)])
    }
  }

  /// Nil unless there are 43 characters of the alphabet whose two spare bits are zero: one value has one text.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> Octets32? {
    guard text.count == textCount else { return nil }
    var isValid = true
    let octets = Octets32 { bytes in
      values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var count: UInt32 = 0
        var place = 0
        for character in text {
          let value = values[Int(character)]
          isValid = isValid && value != invalid
          bits = bits << 6 | UInt32(value & 63)
          count += 6
          guard count >= 8 else { continue }
          count -= 8
          bytes[place] = UInt8(truncatingIfNeeded: bits >> count)
          place += 1
        }
        isValid = isValid && bits & 3 == 0
      }
    }
    return isValid ? octets : nil
  }
}
