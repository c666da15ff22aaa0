extension HTTPClient {
  /// Where a server listens.
  public struct Address: Sendable, Hashable, CustomStringConvertible {
    public let host: String
    public let port: Int

    public init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Reads `http://api:8080`, `127.0.0.1:8080`, `[::1]:8080`; the port is 80 when it is left out. Nil for `https`
    /// and for what has a path: the tests speak plain HTTP, with one server.
    public init?(_ text: String) {
      guard !text.hasPrefix("https:") else { return nil }
      var rest = text.hasPrefix("http://") ? text.dropFirst("http://".count) : text[...]
      if rest.hasSuffix("/") { rest.removeLast() }
      guard !rest.isEmpty, !rest.contains("/") else { return nil }
      let end = rest.lastIndex(of: "]") ?? rest.startIndex
      if let colon = rest[end...].lastIndex(of: ":") {
        guard let port = Int(rest[rest.index(after: colon)...]) else { return nil }
        self.init(host: Self.bare(rest[..<colon]), port: port)
      } else {
        self.init(host: Self.bare(rest), port: 80)
      }
    }

    /// As a Host header has it.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func bare(_ host: Substring) -> String {
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
  }
}
