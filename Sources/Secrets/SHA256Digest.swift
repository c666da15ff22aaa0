import CSodium

/// A SHA-256 digest (FIPS 180-4), for bodies and keys that are compared but not kept.
public struct SHA256Digest: Hashable, Sendable {
  private let octets: Octets32

  /// The digest of the bytes.
  public static func of(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
    SHA256Digest(
      octets: Octets32 { digest in
        let input = bytes.bindMemory(to: UInt8.self)
        crypto_hash_sha256(digest, input.baseAddress, UInt64(input.count))
      })
  }

  public static func of(_ bytes: [UInt8]) -> SHA256Digest { bytes.withUnsafeBytes { of($0) } }

  /// The digest of the text's UTF-8 bytes.
  public static func of(_ text: String) -> SHA256Digest {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }

  private init(octets: Octets32) { self.octets = octets }

  /// A stored digest; nil unless there are 32 bytes.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard let octets = Octets32(bytes) else { return nil }
    self.octets = octets
  }

  /// The digest that 64 hexadecimal digits in lower case write; nil for any other text.
  public init?(hex: some StringProtocol) {
    let digits = Array(hex.utf8).map { digit in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: UInt8.max
      }
    }
    guard digits.count == Octets32.count * 2, !digits.contains(.max) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    guard let digest = bytes.withUnsafeBytes({ SHA256Digest(bytes: $0) }) else { return nil }
    self = digest
  }

  /// Lends the 32 bytes, for the call only.
  public func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
    try octets.withBytes(body)
  }

  /// A copy of the 32 bytes.
  public var bytes: [UInt8] { withBytes { Array($0) } }
}

extension SHA256Digest {
  /// The digest as 64 hexadecimal digits in lower case.
  public var hex: String {
    let size = Octets32.count * 2 + 1
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { text in
      octets.withBytes { bytes in
        let octets = bytes.assumingMemoryBound(to: UInt8.self)
        _ = sodium_bin2hex(text.baseAddress!, size, octets.baseAddress!, octets.count)
      }
      return String(cString: text.baseAddress!)
    }
  }

  /// The digest in base 64 with padding (RFC 4648, section 4).
  public var base64: String {
    var text: [UInt8] = []
    Base64.append(octets, .standard, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
