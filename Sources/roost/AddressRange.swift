/// A range of addresses in CIDR form, `10.0.0.0/8`; a single address is a range of one.
enum AddressRange {
  /// The range with its address in canonical form and its length written out; nil when it is malformed.
  static func canonical(_ text: some StringProtocol) -> String? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
    let longest = address.isIPv6 ? 128 : 32
    guard parts.count == 2 else { return "\(address.text)/\(longest)" }
    return Digits.number(parts[1], in: 0...longest).map { "\(address.text)/\($0)" }
  }
}
