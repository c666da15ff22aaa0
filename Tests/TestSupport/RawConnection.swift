import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A TCP connection on which a test writes and reads the bytes it likes. Calls block; the connection closes with the
/// object.
public final class RawConnection: Sendable {
  private let descriptor: Int32
  let received = Mutex<[UInt8]>([])

  public enum Trouble: Error, Equatable, CustomStringConvertible {
    case notConnected(String)
    /// The other side has closed or reset the connection.
    case closed(String)
    case timedOut
    case malformed(String)

    public var description: String {
      switch self {
      case .notConnected(let reason): "no connection: \(reason)"
      case .closed(let reason): "the connection is closed: \(reason)"
      case .timedOut: "nothing came in time"
      case .malformed(let what): "not HTTP: \(what)"
      }
    }
  }

  /// `receiveBytes` makes the kernel's buffer small, for a client that does not read.
  public init(
    _ address: HTTPClient.Address, timeoutMilliseconds: Int = 15_000, receiveBytes: Int32? = nil
  ) throws(Trouble) {
    var hints = addrinfo()
    hints.ai_socktype = Self.stream
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(address.host, "\(address.port)", &hints, &found)
    guard status == 0, let entry = found?.pointee else {
      throw .notConnected("\(address): \(String(cString: gai_strerror(status)))")
    }
    defer { freeaddrinfo(found) }
    descriptor = Self.openSocket(entry)
    guard descriptor >= 0 else { throw .notConnected(Self.lastError) }
    let timeout = timeval(
      tv_sec: timeoutMilliseconds / 1_000, tv_usec: .init(timeoutMilliseconds % 1_000 * 1_000))
    set(SOL_SOCKET, SO_RCVTIMEO, timeout)
    set(SOL_SOCKET, SO_SNDTIMEO, timeout)
    set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    if let receiveBytes { set(SOL_SOCKET, SO_RCVBUF, receiveBytes) }
    #if canImport(Darwin)
      set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
    #endif
    guard connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 else {
      throw .notConnected("\(address): \(Self.lastError)")
    }
  }

  deinit { Self.closeDescriptor(descriptor) }

  public func send(_ text: String) throws(Trouble) { try send(Array(text.utf8)) }

  public func send(_ bytes: [UInt8]) throws(Trouble) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { Self.sendBytes(descriptor, $0.baseAddress! + offset, bytes.count - offset) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw errno == EAGAIN ? .timedOut : .closed(Self.lastError) }
      offset += count
    }
  }

  /// Reads what there is into `received`; false at the end of the stream.
  func fill() throws(Trouble) -> Bool {
    var count = 0
    var trouble: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: 64 * 1_024) { buffer, initialized in
      repeat { count = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
      trouble = errno
      initialized = max(0, count)
    }
    guard count >= 0 else { throw trouble == EAGAIN ? .timedOut : .closed(String(cString: strerror(trouble))) }
    received.withLock { $0 += piece }
    return count > 0
  }

  /// All that comes until the other side closes; a reset counts as that.
  public func readToEnd() throws(Trouble) -> [UInt8] {
    do throws(Trouble) {
      while try fill() {}
    } catch {
      guard case .closed = error else { throw error }
    }
    return received.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }

  /// What has come, as text; waits for it while nothing has.
  public func readSome() throws(Trouble) -> String {
    while received.withLock({ $0.isEmpty }) {
      guard try fill() else { throw .closed("without more") }
    }
    return received.withLock { bytes in
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether the other side has closed, as far as is known now.
  public var isAtEnd: Bool { isClosed(withinMilliseconds: 0) }

  /// Whether the other side closes within a time, having sent nothing before.
  public func isClosed(withinMilliseconds milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
  }

  /// Whether anything can be read within a time: bytes, or the end.
  public func isReadable(withinMilliseconds milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Says that nothing more will be sent; answers may still come.
  public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the end of the connection a reset, as of a client that has crashed.
  public func breakAtEnd() { set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }

  private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  private static var lastError: String { String(cString: strerror(errno)) }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static func openSocket(_ entry: addrinfo) -> Int32 {
      let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return descriptor
    }
    private static func sendBytes(_ socket: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
      Darwin.send(socket, bytes, count, 0)
    }
    private static func closeDescriptor(_ descriptor: Int32) { Darwin.close(descriptor) }
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    /// At once: a server that another test starts at this moment must not inherit it, and so keep it open.
    private static func openSocket(_ entry: addrinfo) -> Int32 {
      socket(entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), entry.ai_protocol)
    }
    private static func sendBytes(_ socket: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
      Glibc.send(socket, bytes, count, Int32(MSG_NOSIGNAL))
    }
    private static func closeDescriptor(_ descriptor: Int32) { Glibc.close(descriptor) }
  #endif
}
