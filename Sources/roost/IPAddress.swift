#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An IPv4 or IPv6 address in its canonical text form.
struct IPAddress: Sendable, Equatable {
  let text: String
  let isIPv6: Bool

  /// Nil for anything but a plain address: no names, no brackets, no zone.
  init?(_ text: String) {
    if let canonical = Self.canonical(text, AF_INET) {
      (self.text, isIPv6) = (canonical, false)
    } else if let canonical = Self.canonical(text, AF_INET6) {
      (self.text, isIPv6) = (canonical, true)
    } else {
      return nil
    }
  }

  private static func canonical(_ text: String, _ family: Int32) -> String? {
    var address = in6_addr()
    guard !text.utf8.contains(0), inet_pton(family, text, &address) == 1 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      inet_ntop(family, &address, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
    }
  }
}
