import Testing

@testable import Log

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A pipe that a log writes into, and what arrived.
final class LogPipe {
  private(set) var reader: Int32
  let writer: Int32

  init() throws {
    // What a server does, too: a closed pipe is then an error of one write.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reader, writer) = (ends[0], ends[1])
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  func log(_ level: Log.Level = .debug, _ format: Log.Format = .json) -> Log {
    Log(level: level, format: format, descriptor: writer)
  }

  /// All that has arrived and was not read yet, without waiting.
  func text() -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(reader, &piece, piece.count)
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
  }

  func lines() -> [String] {
    text().split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Puts so much into the pipe that it takes nothing more.
  func fill() {
    let flags = fcntl(writer, F_GETFL)
    _ = fcntl(writer, F_SETFL, flags | O_NONBLOCK)
    let junk = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    while write(writer, junk, junk.count) > 0 {}
    _ = fcntl(writer, F_SETFL, flags)
  }

  func closeReader() {
    close(reader)
    reader = -1
  }

  deinit {
    if reader >= 0 { close(reader) }
    close(writer)
  }
}
