/// A range of IP addresses in CIDR notation (RFC 4632, RFC 4291): `10.0.0.0/8`, `2001:db8::/32`, or one bare address.
public struct AddressRange: Hashable, Sendable {
  /// The lowest address.
  let base: ClientAddress
  /// How many of the 128 bits are fixed; IPv4 counts from 96.
  let prefix: Int

  /// Faults: `malformed`, also when bits beyond the prefix are set, since that is most often a slip.
  public init(_ text: String) throws(Fault) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = ClientAddress(String(parts[0])) else { throw Self.shape }
    // A mapped IPv4 address written as IPv6 has a prefix that counts from bit 0 already.
    let isDotted = !parts[0].utf8.contains(UInt8(ascii: ":"))
    let offset = isDotted ? 96 : 0
    let widthMax = isDotted ? 32 : 128
    var length = widthMax
    if parts.count == 2 {
      guard let given = Self.number(parts[1]), given <= widthMax else { throw Self.shape }
      length = given
    }
    base = address
    prefix = offset + length
    guard Self.masked(address, prefix) == address else {
      throw Fault(.malformed, "Bits beyond the prefix are set; write the first address of the range.")
    }
  }

  /// A range of IPv6 never holds an IPv4 address, so `::/0` trusts no more than it says.
  public func contains(_ address: ClientAddress) -> Bool {
    address.isIPv4 == base.isIPv4 && Self.masked(address, prefix) == base
  }

  private static let shape = Fault(.malformed, "Write an address or a range such as 10.0.0.0/8 or 2001:db8::/32.")

  private static func number(_ text: Substring) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text)
  }

  private static func masked(_ address: ClientAddress, _ prefix: Int) -> ClientAddress {
    // Swift's << answers zero when all 64 bits are shifted out.
    let high: UInt64 = .max << UInt64(max(64 - prefix, 0))
    let low: UInt64 = .max << UInt64(min(128 - prefix, 64))
    return ClientAddress(high: address.high & high, low: address.low & low)
  }
}

extension AddressRange: CustomStringConvertible {
  /// The lowest address and how many of its bits are fixed: `10.0.0.0/8`.
  public var description: String { "\(base)/\(base.isIPv4 ? prefix - 96 : prefix)" }
}
