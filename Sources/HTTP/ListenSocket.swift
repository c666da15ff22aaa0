#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A TCP socket that listens.
public struct ListenSocket: Sendable {
  public let descriptor: Int32
  /// Where it listens, as a browser writes it: `127.0.0.1:8080`, `[::1]:8080`. A port of 0 has become the real one.
  public let address: String
  public let port: Int

  /// Why a socket could not be opened.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Connections that the kernel keeps until they are accepted; it may have a lower bound of its own.
  static let backlog: Int32 = 4_096

  /// Opens a socket on `host` (a name or an address) and `port` (0: any free one).
  ///
  /// `isShared`: other loops listen on the same port, and the kernel deals the connections out among them.
  public init(host: String, port: Int, isShared: Bool = false) throws(Failure) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    #if canImport(Darwin)
      hints.ai_socktype = SOCK_STREAM
    #else
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, "\(port)", &hints, &found)
    guard status == 0, let first = found else {
      throw Failure(description: "cannot listen on \(host): \(String(cString: gai_strerror(status)))")
    }
    defer { freeaddrinfo(found) }
    let entry = first.pointee
    let socket = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
    guard socket >= 0 else { throw Failure(description: "cannot open a socket: \(Self.lastError)") }
    Self.set(socket, SOL_SOCKET, SO_REUSEADDR, 1)
    if isShared { Self.set(socket, SOL_SOCKET, SO_REUSEPORT, 1) }
    if entry.ai_family == AF_INET6 { Self.set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    guard bind(socket, entry.ai_addr, entry.ai_addrlen) == 0, listen(socket, Self.backlog) == 0 else {
      let reason = Self.lastError
      close(socket)
      throw Failure(description: "cannot listen on \(host), port \(port): \(reason)")
    }
    descriptor = socket
    self.port = Self.boundPort(socket)
    address = host.contains(":") ? "[\(host)]:\(self.port)" : "\(host):\(self.port)"
  }

  /// Stops listening.
  public func shut() { close(descriptor) }

  private static var lastError: String { String(cString: strerror(errno)) }

  private static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundPort(_ socket: Int32) -> Int {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(socket, address, &length) == 0 else { return 0 }
        // The port lies at the same place in both families.
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
  }
}
