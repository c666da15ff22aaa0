import CSodium

/// Base 64 (RFC 4648) of exactly 32 bytes, by libsodium.
enum Base64 {
  /// Alphabet and padding.
  enum Variant: Int32 {
    /// Section 4: `+`, `/`, padded.
    case standard = 1
    /// Section 5: `-`, `_`, not padded.
    case url = 7

    var textCount: Int { self == .standard ? 44 : 43 }
  }

  static func append(_ octets: Octets32, _ variant: Variant, to text: inout [UInt8]) {
    // libsodium ends the text with a zero byte.
    let size = variant.textCount + 1
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      octets.withBytes { bytes in
        let octets = bytes.assumingMemoryBound(to: UInt8.self)
        _ = sodium_bin2base64(buffer.baseAddress!, size, octets.baseAddress!, octets.count, variant.rawValue)
      }
      text.append(contentsOf: UnsafeRawBufferPointer(buffer).dropLast())
    }
  }

  /// Nil unless the whole text is in form and stands for 32 bytes; one value has one text.
  static func decode(_ text: UnsafeBufferPointer<UInt8>, _ variant: Variant) -> Octets32? {
    // libsodium 1.0.18 takes bytes from 0x80 on for characters of the alphabet.
    guard text.count == variant.textCount, text.allSatisfy({ $0 < 0x80 }), let base = text.baseAddress
    else { return nil }
    var isWhole = false
    let octets = Octets32 { bytes in
      base.withMemoryRebound(to: CChar.self, capacity: text.count) { text in
        var count = 0
        let status = sodium_base642bin(
          bytes, Octets32.count, text, variant.textCount, nil, &count, nil, variant.rawValue)
        isWhole = status == 0 && count == Octets32.count
      }
    }
    return isWhole ? octets : nil
  }
}
