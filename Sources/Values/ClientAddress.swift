#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The IP address a request came from. An IPv4 address mapped into IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
public struct ClientAddress: Hashable, Sendable {
  static let textBytesMax = 45

  /// The address as 128 bits; IPv4 mapped into IPv6, so that one comparison serves both.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Four or sixteen bytes in network order, as a socket address holds them; nil for any other length.
  public init?(bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 4:
      high = 0
      low = Self.mappedMark | UInt64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    case 16:
      high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    default: return nil
    }
  }

  /// Reads the text forms of `inet_pton` (POSIX): dotted quads without leading zeros, and RFC 4291 section 2.2.
  /// Nil for anything else, so also for ports, brackets, zones and host names.
  public init?(_ text: String) {
    // A zero byte would end the C string early and let what follows it pass.
    guard text.utf8.count <= Self.textBytesMax, !text.utf8.contains(0) else { return nil }
    var bytes: (UInt64, UInt64) = (0, 0)
    let isIPv6 = text.utf8.contains(UInt8(ascii: ":"))
    let length = isIPv6 ? 16 : 4
    guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    guard let address = withUnsafeBytes(of: bytes, { Self(bytes: .init(rebasing: $0[..<length])) }) else { return nil }
    self = address
  }

  /// Whether it is an address of IPv4, mapped or not.
  public var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mappedMark }

  /// Four bytes for IPv4, sixteen for IPv6, in network order.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array(isIPv4 ? $0[12...] : $0[...]) }
  }

  /// What limits count together: an IPv4 address, or the /64 an IPv6 address lies in, since that is what one
  /// subscriber gets. Written as `192.0.2.1` and `2001:db8:0:1::/64`.
  public var bucket: String {
    isIPv4 ? description : ClientAddress(high: high, low: 0).description + "/64"
  }

  /// The bucket as bytes: four for IPv4, the first eight for IPv6.
  public var bucketBytes: [UInt8] { isIPv4 ? bytes : Array(bytes.prefix(8)) }

  static let mappedMark: UInt64 = 0xFFFF << 32
}

extension ClientAddress: CustomStringConvertible {
  /// The canonical text: lower case, zeros compressed (RFC 5952).
  public var description: String {
    let bytes = bytes
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.textBytesMax + 1) { text in
      guard inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, text.baseAddress, socklen_t(text.count)) != nil,
        let start = text.baseAddress
      else { return "" }
      return String(cString: start)
    }
  }
}
