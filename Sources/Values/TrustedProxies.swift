/// The proxies whose word about the client's address counts.
public struct TrustedProxies: Hashable, Sendable {
  /// More hops than any real chain of proxies; what lies beyond is not read.
  public static let hopsMax = 32

  public let ranges: [AddressRange]

  public init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  /// Reads a list parted by commas; an empty text trusts nobody.
  public init(_ text: String) throws(Fault) {
    var ranges: [AddressRange] = []
    for part in text.split(separator: ",") {
      let range = Self.trimmed(part)
      if !range.isEmpty { ranges.append(try AddressRange(String(range))) }
    }
    self.ranges = ranges
  }

  /// Whether the address is one of a trusted proxy.
  public func trusts(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// The address of the client: the right-most hop that is not a trusted proxy, since everything left of it is what
  /// the client itself may have written.
  ///
  /// `forwardedFor` holds the values of all `X-Forwarded-For` headers in the order they came. Hops may carry a port
  /// and brackets. A hop that is no address ends the walk at the trusted proxy that reported it.
  public func client(peer: ClientAddress, forwardedFor: [String]) -> ClientAddress {
    var client = peer
    var hopsLeft = Self.hopsMax
    for value in forwardedFor.reversed() {
      var rest = value[...]
      var isDone = false
      while !isDone {
        guard hopsLeft > 0, trusts(client), let hop = Self.takeLast(&rest, &isDone) else { return client }
        client = hop
        hopsLeft -= 1
      }
    }
    return client
  }

  /// Takes the text after the last comma off a header value; nil when it is no address.
  private static func takeLast(_ rest: inout Substring, _ isDone: inout Bool) -> ClientAddress? {
    let comma = rest.utf8.lastIndex(of: UInt8(ascii: ","))
    let hop = comma.map { rest[rest.utf8.index(after: $0)...] } ?? rest
    isDone = comma == nil
    rest = comma.map { rest[..<$0] } ?? ""
    return address(of: trimmed(hop))
  }

  /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
  private static func address(of hop: Substring) -> ClientAddress? {
    if hop.first == "[" {
      guard let end = hop.firstIndex(of: "]"), isPort(hop[hop.index(after: end)...]) else { return nil }
      let inner = hop[..<end].dropFirst()
      return inner.utf8.contains(UInt8(ascii: ":")) ? ClientAddress(String(inner)) : nil
    }
    guard let colon = hop.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ClientAddress(String(hop)) }
    let host = hop[..<colon]
    let isDottedWithPort = host.utf8.contains(UInt8(ascii: ".")) && isPort(hop[colon...])
    return ClientAddress(String(isDottedWithPort ? host : hop))
  }

  private static func isPort(_ text: Substring) -> Bool {
    if text.isEmpty { return true }
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: ":") && (1...5).contains(digits.count) && digits.allSatisfy(\.isASCIIDigit)
  }

  /// Without the optional white space that may stand around list members (RFC 9110, section 5.6.1).
  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return text[first...last]
  }
}
