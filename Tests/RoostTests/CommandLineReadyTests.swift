import Synchronization
import Testing

@testable import roost

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct CommandLineReadyTests {
  @Test func `a ready server makes a silent success, also when it serves on every address`() throws {
    let server = try OneAnswer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    let run = CommandLineRun(["check", "--ready"], environment: ["LISTEN": "0.0.0.0:\(server.port)"])
    #expect(run.code == 0)
    #expect(run.out == "" && run.err == "")
    #expect(
      server.request() == "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
  }

  @Test(arguments: [
    ("HTTP/1.1 503 Service Unavailable\r\n\r\n", #"answers "HTTP/1.1 503 Service Unavailable""#),
    ("HTTP/1.1 2000 OK\r\n\r\n", #"answers "HTTP/1.1 2000 OK""#),
    ("SSH-2.0-OpenSSH\r\n", #"answers "SSH-2.0-OpenSSH""#),
    ("\u{1b}[2J\n", #"answers "\u{1B}[2J""#),
    ("", ": the connection was closed without an answer"),
  ])
  func `any other answer is a failure that says what came`(answer: String, told: String) throws {
    let server = try OneAnswer(answer)
    let run = CommandLineRun(["check", "--ready", "--listen", "127.0.0.1:\(server.port)"])
    #expect(run.code == 1)
    #expect(run.out == "")
    #expect(run.err.contains(told))
  }

  @Test func `no server is a failure`() {
    // Port 1 is not one of those that the system lends to others meanwhile.
    let run = CommandLineRun(["check", "--ready"], environment: ["PORT": "1"])
    #expect(run.code == 1)
    #expect(run.err == "roost: http://127.0.0.1:1/readyz: Connection refused\n")
  }

  @Test func `a server that never answers is a failure in time`() throws {
    let server = try OneAnswer(nil)
    let clock = ContinuousClock()
    var run: CommandLineRun?
    let time = clock.measure {
      run = CommandLineRun(["check", "--ready"], environment: ["LISTEN": "127.0.0.1:\(server.port)"])
    }
    #expect(run?.code == 1)
    #expect(run?.err.hasSuffix(": no answer in time\n") == true)
    #expect(time < .seconds(6))
  }
}

/// A socket that gives one connection the same bytes whatever it asks, and closes it; with nil it never answers.
private final class OneAnswer: Sendable {
  let port: Int
  private let listener: Int32
  private let asked = Mutex("")

  init(_ answer: String?) throws {
    let listener = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    try #require(isListening)
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    // The kernel accepts without us, and keeps what is sent; so the thread is only needed to answer.
    guard let answer else { return }
    startThread { [self] in
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &bytes, bytes.count, 0)
      asked.withLock { $0 = String(decoding: bytes[..<max(0, count)], as: UTF8.self) }
      _ = send(connection, answer, answer.utf8.count, 0)
      close(connection)
    }
  }

  /// What the connection asked; known once its answer has come.
  func request() -> String { asked.withLock { $0 } }

  deinit { close(listener) }
}

#if canImport(Darwin)
  private let streamSocket = SOCK_STREAM
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif
