import Synchronization
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server of a test's own on plain sockets, with a thread for each connection: what it says, and when it hangs up, is
/// the test's to say.
final class LocalServer: Sendable {
  struct Request: Sendable {
    let method: String
    let target: String
    /// By lower-case names.
    let headers: [String: String]
    let body: [UInt8]
  }

  /// Answers one request. True keeps the connection for another.
  typealias Handler = @Sendable (Request, Connection) -> Bool

  let port: Int
  private let listener: Int32
  private let requestsSeen = Mutex<[Request]>([])
  private let connectionsSeen = Atomic(0)

  var url: String { "http://127.0.0.1:\(port)" }
  /// All that has been asked, in order.
  var requests: [Request] { requestsSeen.withLock { $0 } }
  var connectionCount: Int { connectionsSeen.load(ordering: .relaxed) }

  init(_ handler: @escaping Handler) throws {
    let (descriptor, port) = try Self.listen()
    listener = descriptor
    self.port = port
    inBackground { [weak self] in
      while true {
        let accepted = accept(descriptor, nil, nil)
        if accepted < 0 { if errno == EINTR { continue } else { return } }
        guard let self else {
          close(accepted)
          return
        }
        connectionsSeen.add(1, ordering: .relaxed)
        let connection = Connection(accepted)
        let seen: @Sendable (Request) -> Void = { [weak self] request in
          self?.requestsSeen.withLock { $0.append(request) }
        }
        inBackground {
          while let request = connection.request() {
            seen(request)
            guard handler(request, connection) else { break }
          }
          connection.hangUp()
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func listen() throws -> (descriptor: Int32, port: Int) {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && Self.listens(descriptor) && getsockname(descriptor, address, &size) == 0
      }
    }
    guard status else { throw TestServer.Trouble(description: "no port to listen on") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func listens(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      Darwin.listen(descriptor, 64) == 0
    #else
      Glibc.listen(descriptor, 64) == 0
    #endif
  }

  /// The server's end of one connection.
  final class Connection: Sendable {
    private let descriptor: Int32
    private let isOpen = Mutex(true)
    private let received = Mutex<[UInt8]>([])

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        #if canImport(Darwin)
          let count = rest.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
        #else
          let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        #endif
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// A whole answer.
    func answer(_ status: Int, _ body: [UInt8], headers: [(String, String)] = [("Content-Type", "application/json")]) {
      let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
      let length = status == 204 ? "" : "Content-Length: \(body.count)\r\n"
      send(Array("HTTP/1.1 \(status) Reason\r\n\(lines)\(length)\r\n".utf8) + body)
    }

    func hangUp() {
      isOpen.withLock { isOpen in
        if isOpen { close(descriptor) }
        isOpen = false
      }
    }

    /// Blocks until the other side has hung up.
    func waitForHangUp() { while fill() {} }

    private func fill() -> Bool {
      var piece = [UInt8](repeating: 0, count: 64 * 1_024)
      var count = 0
      repeat { count = read(descriptor, &piece, piece.count) } while count < 0 && errno == EINTR
      guard count > 0 else { return false }
      let bytes = piece.prefix(count)
      received.withLock { $0 += bytes }
      return true
    }

    /// The next request; nil when the other side has hung up.
    func request() -> Request? {
      let mark = Array("\r\n\r\n".utf8)
      var headEnd: Int?
      while headEnd == nil {
        headEnd = received.withLock { bytes in bytes.indices.first { bytes[$0...].starts(with: mark) } }
        if headEnd == nil, !fill() { return nil }
      }
      let head = received.withLock { bytes in
        let head = String(decoding: bytes[..<headEnd!], as: UTF8.self)
        bytes.removeFirst(headEnd! + mark.count)
        return head
      }
      var lines = head.split(separator: "\r\n")
      let words = lines.removeFirst().split(separator: " ")
      guard words.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1)
        headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
      }
      let length = headers["content-length"].flatMap { Int($0) } ?? 0
      if headers["expect"] != nil { send("HTTP/1.1 100 Continue\r\n\r\n") }
      while received.withLock({ $0.count }) < length { if !fill() { return nil } }
      let body = received.withLock { bytes in
        let body = Array(bytes.prefix(length))
        bytes.removeFirst(length)
        return body
      }
      return Request(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }
  }
}
