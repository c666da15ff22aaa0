import RoostAPI
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One open `GET /v1/feed/live`, read event by event.
final class LiveListener {
  struct Event: Equatable {
    var name = ""
    var id: String?
    var data = ""

    /// The tweet that it carries.
    var tweet: Tweet? { try? JSONDecoder.roost.decode(Tweet.self, from: Data(data.utf8)) }
  }

  private let connection: RawConnection
  /// Chunks as they came; what is before `text` has been taken apart.
  private var raw = ""
  private var text = ""
  private(set) var isEnded = false
  /// Lines that begin with a colon.
  private(set) var comments = 0
  let head: String

  init(
    _ server: TestServer, _ visitor: Visitor, after last: String? = nil, timeoutMilliseconds: Int = 15_000,
    receiveBytes: Int32? = nil
  ) throws {
    connection = try RawConnection(
      server.address, timeoutMilliseconds: timeoutMilliseconds, receiveBytes: receiveBytes)
    var request = "GET /v1/feed/live HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer \(visitor.token ?? "")\r\n"
    if let last { request += "Last-Event-ID: \(last)\r\n" }
    try connection.send(request + "\r\n")
    while raw.firstRange(of: "\r\n\r\n") == nil { raw += try connection.readSome() }
    let end = raw.firstRange(of: "\r\n\r\n")!
    head = String(raw[..<end.lowerBound])
    raw = String(raw[end.upperBound...])
    takeChunks()
    // What every stream begins with.
    while status == 200, takeBlock() == nil { try read() }
  }

  var status: Int { Int(head.split(separator: " ")[1]) ?? 0 }

  /// The next event, or nil at the end of the stream.
  func next() throws -> Event? {
    while true {
      if let block = takeBlock() {
        if let event = parse(block) { return event }
        continue
      }
      if isEnded { return nil }
      try read()
    }
  }

  /// The tweets of the next `count` events, all of which must be tweets.
  func tweets(_ count: Int) throws -> [String] {
    try (0..<count).map { _ in
      guard let event = try next() else { return "the end" }
      return event.name == "tweet" ? event.tweet?.text ?? "?" : event.name
    }
  }

  /// Whether nothing comes for a while.
  func isQuiet(forMilliseconds milliseconds: Int32) -> Bool {
    takeBlock() == nil && !connection.isReadable(withinMilliseconds: milliseconds)
  }

  private func read() throws {
    raw += try connection.readSome()
    takeChunks()
  }

  private func takeChunks() {
    // A chunk: its length in hexadecimal, a line end, so many bytes, a line end.
    while let line = raw.firstRange(of: "\r\n") {
      guard let count = Int(raw[..<line.lowerBound], radix: 16) else { return }
      let bytes = raw[line.upperBound...].utf8
      guard bytes.count >= count + 2 else { return }
      if count == 0 { isEnded = true }
      let end = bytes.index(bytes.startIndex, offsetBy: count)
      text += raw[line.upperBound..<end]
      raw = String(raw[bytes.index(end, offsetBy: 2)...])
    }
  }

  private func takeBlock() -> String? {
    guard let end = text.firstRange(of: "\n\n") else { return nil }
    defer { text = String(text[end.upperBound...]) }
    return String(text[..<end.lowerBound])
  }

  private func parse(_ block: String) -> Event? {
    var event = Event()
    for line in block.split(separator: "\n") {
      if line.hasPrefix(":") { comments += 1 }
      if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
      if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
      if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
    }
    return event.name.isEmpty ? nil : event
  }
}
