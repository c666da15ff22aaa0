import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `roost check --ready`: asks a running server's `/readyz`, for the health check of a container.
///
/// It says nothing when the server is ready, so that a health check's record stays short.
struct ReadyProbe {
  let address: ListenAddress
  let console: Console

  static let timeoutMilliseconds = 3000

  func run() -> ExitCode {
    switch statusLine() {
    case .success(let line) where isReady(line): return .done
    case .success(let line):
      console.complain("roost: http://\(address)/readyz answers \(Mistake.quoted(line))")
    case .failure(let trouble):
      console.complain("roost: http://\(address)/readyz: \(trouble.text)")
    }
    return .failed
  }

  private struct Trouble: Error { let text: String }

  private func isReady(_ line: String) -> Bool { line.hasPrefix("HTTP/1.1 200 ") || line == "HTTP/1.1 200" }

  private func statusLine() -> Result<String, Trouble> {
    let descriptor = socket(address.host.isIPv4 ? AF_INET : AF_INET6, streamSocket, 0)
    guard descriptor >= 0 else { return .failure(systemTrouble()) }
    defer { close(descriptor) }
    limitWait(descriptor)
    guard connect(descriptor) == 0 else { return .failure(systemTrouble()) }
    let request = Array("GET /readyz HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, sendFlags) == request.count else { return .failure(systemTrouble()) }
    return answer(from: descriptor)
  }

  /// The first line; the rest is not waited for.
  private func answer(from descriptor: Int32) -> Result<String, Trouble> {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 256)
    while bytes.count < 1024, !bytes.contains(UInt8(ascii: "\n")) {
      let count = recv(descriptor, &piece, piece.count, 0)
      if count < 0 { return .failure(systemTrouble()) }
      if count == 0 { return .failure(Trouble(text: "the connection was closed without an answer")) }
      bytes += piece[..<count]
    }
    return .success(
      String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  private func limitWait(_ descriptor: Int32) {
    var limit = timeval(tv_sec: Self.timeoutMilliseconds / 1000, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private func connect(_ descriptor: Int32) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(streamSocket)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host.description, "\(address.port)", &hints, &found) == 0, let found else { return -1 }
    defer { freeaddrinfo(found) }
    return systemConnect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen)
  }

  private func systemTrouble() -> Trouble {
    Trouble(text: errno == EAGAIN || errno == EINPROGRESS ? "no answer in time" : String(cString: strerror(errno)))
  }
}

#if canImport(Darwin)
  private let streamSocket = SOCK_STREAM
  private let sendFlags: Int32 = 0
  private let systemConnect = Darwin.connect
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let sendFlags = Int32(MSG_NOSIGNAL)
  private let systemConnect = Glibc.connect
#endif
