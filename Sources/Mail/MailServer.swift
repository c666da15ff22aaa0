/// Which mail server takes the letters: `smtp://user:password@host:587` or `smtps://…`.
///
/// The connection is encrypted, from the start (`smtps`) or by STARTTLS (RFC 3207), and the server's certificate checked,
/// or nothing is sent: letters hold links that are as good as passwords. By `smtp` to this very machine, and to any other
/// with `?tls=optional` behind, it is encrypted where the server offers it, and nothing is checked.
public struct MailServer: Sendable {
  /// Scheme, host and port, without credentials.
  let url: String
  let user: String?
  let password: String?
  let mustBeSecure: Bool

  /// Nil when it is out of form.
  public init?(_ text: String) {
    guard let scheme = ["smtp://", "smtps://"].first(where: { text.hasPrefix($0) }) else { return nil }
    let authority = text.dropFirst(scheme.count)
    let at = authority.lastIndex(of: "@")
    let parts = (at.map { authority[authority.index(after: $0)...] } ?? authority)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, parts.count == 1 || scheme == "smtp://" else { return nil }
    guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !host.contains("/") else { return nil }
    url = scheme + host
    if let at {
      let credentials = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = Self.decoded(credentials[0])
      password = credentials.count == 2 ? Self.decoded(credentials[1]) : nil
    } else {
      (user, password) = (nil, nil)
    }
    switch parts.count == 2 ? parts[1] : nil {
    case nil: mustBeSecure = scheme == "smtps://" || !Self.isLocal(host)
    case "tls=required": mustBeSecure = true
    case "tls=optional": mustBeSecure = false
    default: return nil
    }
  }

  private static func isLocal(_ host: Substring) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
    return name == "localhost" || name == "::1" || name.hasPrefix("127.")
  }

  /// Without percent-encoding (RFC 3986, section 2.1); a `%` that begins none stays.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2 {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MailServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without credentials.
  public var description: String { url }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
