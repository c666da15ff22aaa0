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

  public func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
    try octets.withBytes(body)
  }

  public var bytes: [UInt8] { withBytes { Array($0) } }
}

extension SHA256Digest {
  /// The digest as 64 hexadecimal digits in lower case.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
