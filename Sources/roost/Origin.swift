/// An origin of the web (RFC 6454): `https://app.example` or `http://127.0.0.1:3000`.
enum Origin {
  /// The origin in lower case and without the scheme's own port, as browsers send it; nil when it is malformed or has a
  /// path, a query or a user.
  static func canonical(_ text: some StringProtocol) -> String? {
    let folded = text.lowercased()
    guard let (scheme, standardPort) = schemes.first(where: { folded.hasPrefix($0.key) }) else { return nil }
    guard let (host, port) = hostAndPort(folded.dropFirst(scheme.count)) else { return nil }
    return scheme + host + (port == nil || port == standardPort ? "" : ":\(port ?? 0)")
  }

  /// The host, in brackets if it is of IPv6, and the port of `HOST` or `HOST:PORT`.
  static func hostAndPort(_ text: Substring) -> (host: String, port: Int?)? {
    if text.first == "[" {
      guard let address = ListenAddress.Text(String(text)), address.port != 0 else { return nil }
      return ("[\(address.host)]", address.port)
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, isHostName(host) else { return nil }
    if parts.count == 1 { return (String(host), nil) }
    return Digits.number(parts[1], in: 1...65535).map { (String(host), $0) }
  }

  private static let schemes = ["https://": 443, "http://": 80]

  /// Labels of letters, digits and inner hyphens, 253 bytes at most (RFC 1123). Other letters: in their `xn--` form.
  private static func isHostName(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
          }
      }
  }
}
