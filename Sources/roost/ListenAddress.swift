import Values

/// Where the server listens: an address of this machine and a port.
struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// Numeric, without brackets: `127.0.0.1`, `::1`, `0.0.0.0` for all.
  var host: ClientAddress
  /// 0 stands for any free one.
  var port: Int

  /// `127.0.0.1:8080` or `[::1]:8080`.
  var description: String { "\(bracketed(host)):\(port)" }

  /// The address under which this machine itself reaches the server: the loopback one where it listens on all.
  var local: ListenAddress {
    switch host.description {
    case "0.0.0.0": ListenAddress(host: ClientAddress("127.0.0.1") ?? host, port: port)
    case "::": ListenAddress(host: ClientAddress("::1") ?? host, port: port)
    default: self
    }
  }

  private func bracketed(_ host: ClientAddress) -> String { host.isIPv4 ? "\(host)" : "[\(host)]" }
}

extension ListenAddress {
  /// A host with or without a port, as in `LISTEN`.
  struct Text: Sendable, Equatable {
    let host: ClientAddress
    let port: Int?

    /// `127.0.0.1`, `127.0.0.1:8080`, `[::1]`, `[::1]:8080`; `localhost` stands for 127.0.0.1.
    init?(_ text: String) {
      let name: Substring
      let rest: Substring
      if text.first == "[" {
        guard let end = text.firstIndex(of: "]") else { return nil }
        name = text[text.index(after: text.startIndex)..<end]
        rest = text[text.index(after: end)...]
        guard name.contains(":") else { return nil }
      } else {
        let end = text.firstIndex(of: ":") ?? text.endIndex
        name = text[..<end]
        rest = text[end...]
      }
      guard let host = ClientAddress(name == "localhost" ? "127.0.0.1" : String(name)) else { return nil }
      self.host = host
      if rest.isEmpty {
        port = nil
      } else {
        guard rest.first == ":", let port = Digits.number(rest.dropFirst(), in: 0...65535) else { return nil }
        self.port = port
      }
    }
  }
}
