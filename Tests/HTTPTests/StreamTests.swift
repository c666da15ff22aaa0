import EventLoop
import HTTP
import Log
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StreamTests {
  @Test func `pieces of a body arrive as they are written`() async throws {
    try await served { stream in
      for piece in ["one ", "two ", "three"] {
        try await stream.write(Array(piece.utf8))
        try? await Task.sleep(for: .milliseconds(20))
      }
    } asked: { address, _ in
      let response = try await onThread { try HTTPClient(address).send("GET", "/") }
      #expect(response.text == "one two three")
      #expect(response["Transfer-Encoding"] == "chunked")
      #expect(response["Content-Length"] == nil)
      #expect(response["Content-Type"] == "text/plain")
    }
  }

  @Test func `the first piece is there before the last is written`() async throws {
    let gate = Gate()
    try await served { stream in
      try await stream.write(Array("early".utf8))
      await gate.wait()
      try await stream.write(Array("late".utf8))
    } asked: { address, _ in
      let connection = try RawConnection(address)
      try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      let early = try await onThread { try connection.read(to: "early") }
      #expect(!early.contains("late"))
      gate.open()
      let rest = try await onThread { try connection.read(to: "0\r\n\r\n") }
      #expect(rest.contains("late"))
    }
  }

  @Test func `a connection serves on after a stream`() async throws {
    try await served {
      try await $0.write(Array("again".utf8))
    } asked: { address, _ in
      let client = HTTPClient(address)
      for _ in 0..<3 {
        let response = try await onThread { try client.send("GET", "/") }
        #expect(response.text == "again")
      }
    }
  }

  @Test func `a large body comes whole, and a writer waits for a slow reader`() async throws {
    let piece = [UInt8](repeating: 0x61, count: 10_000)
    let highest = Mutex(0)
    try await served { stream in
      for _ in 0..<1_000 {
        try await stream.write(piece)
        let waiting = await stream.waitingBytes
        highest.withLock { $0 = max($0, waiting) }
      }
    } asked: { address, _ in
      let response = try await onThread { try HTTPClient(address).send("GET", "/") }
      #expect(response.body.count == 10_000_000)
      #expect(response.body.allSatisfy { $0 == 0x61 })
    }
    #expect(highest.withLock { $0 } <= ResponseStream.waitingBytesMax + piece.count)
  }

  @Test func `a writer that fails leaves a body that is seen to be broken`() async throws {
    struct Broken: Error {}
    try await served { stream in
      try await stream.write(Array("half".utf8))
      throw Broken()
    } asked: { address, _ in
      let answer = try await onThread { Result { try HTTPClient(address).send("GET", "/") } }
      let failure = #expect(throws: HTTPClient.Failure.self) { try answer.get() }
      #expect(failure?.trouble != .timedOut)
    }
  }

  @Test func `a writer learns that its reader has gone, also while it writes nothing`() async throws {
    let gone = Gate()
    try await served { stream in
      try await stream.write(Array("hello".utf8))
      do {
        while true {
          // Longer than the server takes to look whether the client is there.
          try? await Task.sleep(for: .milliseconds(2_600))
          try await stream.write([])
        }
      } catch {
        gone.open()
        throw error
      }
    } asked: { address, _ in
      do {
        let connection = try RawConnection(address)
        try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await onThread { try connection.readSome() }
      }
      await gone.wait()
    }
  }

  @Test func `HEAD has the fields of the answer and starts no writer`() async throws {
    let starts = Mutex(0)
    try await served { _ in
      starts.withLock { $0 += 1 }
    } asked: { address, _ in
      let connection = try RawConnection(address)
      try connection.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = String(decoding: try await onThread { try connection.readToEnd() }, as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("Content-Type: text/plain\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n") && !answer.contains("\r\n\r\n0"))
    }
    #expect(starts.withLock { $0 } == 0)
  }

  @Test func `a server that drains lets a stream end`() async throws {
    let isOpen = Gate()
    let mayEnd = Gate()
    try await served { stream in
      try await stream.write(Array("a".utf8))
      isOpen.open()
      await mayEnd.wait()
      try await stream.write(Array("z".utf8))
    } asked: { address, server in
      async let response = onThread { try HTTPClient(address).send("GET", "/") }
      await isOpen.wait()
      async let isClean = server.drain(withinMilliseconds: 10_000)
      mayEnd.open()
      let text = try await response.text
      #expect(text == "az")
      let wasClean = await isClean
      #expect(wasClean)
    }
  }
}

extension RawConnection {
  fileprivate func read(to mark: String) throws -> String {
    var text = ""
    while !text.contains(mark) { text += try readSome() }
    return text
  }
}
