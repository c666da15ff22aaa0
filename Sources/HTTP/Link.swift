#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection of a client, and until when it may take for what it is doing.
final class Link {
  enum Phase {
    /// Nothing has come yet.
    case fresh
    /// Between two requests.
    case idle
    /// The first line of a request has come, the rest of the head has not.
    case head
    case body
    /// The server works on the answer; its own time-outs bound that.
    case answering
    /// The client reads the answer.
    case sending
  }

  let descriptor: Int32
  let peer: String
  private(set) var phase = Phase.fresh
  /// When the phase began.
  private(set) var sinceMilliseconds: UInt64
  private(set) var deadlineMilliseconds: UInt64
  private(set) var isCut = false
  /// Where it stands in the server's list.
  var index = 0

  init(descriptor: Int32, peer: String, now: UInt64, milliseconds: UInt64) {
    self.descriptor = descriptor
    self.peer = peer
    sinceMilliseconds = now
    deadlineMilliseconds = now + milliseconds
  }

  /// Begins a phase of so many milliseconds at most; nil: of any length.
  func enter(_ phase: Phase, now: UInt64, milliseconds: UInt64? = nil) {
    self.phase = phase
    sinceMilliseconds = now
    deadlineMilliseconds = milliseconds.map { now + $0 } ?? .max
  }

  var isWithoutDeadline: Bool { deadlineMilliseconds == .max }

  /// Whether the client has closed or reset the connection, and has sent nothing that was not read before.
  var hasPeerGone: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Self.sendFlags)
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }

  /// Ends the connection: libmicrohttpd finds it closed and cleans up.
  func cut(saying bytes: [UInt8] = []) {
    isCut = true
    deadlineMilliseconds = .max
    if !bytes.isEmpty { _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.sendFlags) } }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  #if canImport(Darwin)
    private static let sendFlags = MSG_DONTWAIT
  #else
    private static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
  #endif

  /// An address as text: `203.0.113.9`, `2001:db8::1`; what is neither IPv4 nor IPv6 is `unknown`.
  static func text(of address: UnsafePointer<sockaddr>?) -> String {
    guard let address else { return "unknown" }
    let family = Int32(address.pointee.sa_family)
    let raw = UnsafeRawPointer(address)
    let place: Int?
    switch family {
    case AF_INET: place = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)
    case AF_INET6: place = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)
    default: place = nil
    }
    guard let place else { return "unknown" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard inet_ntop(family, raw + place, text.baseAddress, socklen_t(text.count)) != nil else { return "unknown" }
      return String(cString: text.baseAddress!)
    }
  }
}
