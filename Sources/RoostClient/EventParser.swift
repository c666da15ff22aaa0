import Foundation

/// One event of a `text/event-stream` (HTML Standard, section 9.2).
struct ServerEvent: Sendable, Equatable {
  var name = "message"
  var data = ""
  /// The last id so far, also of an earlier event.
  var id: String?
}

/// Makes events of the bytes of a stream, however they are cut.
struct EventParser: Sendable {
  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  private var lastID: String?
  private var skipsLineFeed = false
  private var isAtStart = true
  /// After how many milliseconds the server wants clients back.
  private(set) var retryMilliseconds: Int?

  /// A line or an event beyond this is none of Roost's.
  static let eventBytesMax = 1_024 * 1_024

  /// The event is too large.
  struct TooLarge: Error {}

  /// The events that these bytes complete.
  mutating func events(in bytes: Data) throws(TooLarge) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), skipsLineFeed {
        skipsLineFeed = false
        continue
      }
      skipsLineFeed = byte == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        if let event = endLine() { events.append(event) }
      } else {
        line.append(byte)
        if line.count + data.count > Self.eventBytesMax { throw TooLarge() }
      }
    }
    return events
  }

  private mutating func endLine() -> ServerEvent? {
    defer { line = [] }
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    }
    if line.isEmpty { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": name = text
    case "data":
      if hasData { data.append(UInt8(ascii: "\n")) }
      hasData = true
      data += value
    case "id": if !value.contains(0) { lastID = text }
    case "retry": if value.allSatisfy({ 48...57 ~= $0 }), let number = Int(text) { retryMilliseconds = number }
    default: break  // a comment has the empty name
    }
    return nil
  }

  private mutating func endEvent() -> ServerEvent? {
    defer { (name, data, hasData) = ("", [], false) }
    guard hasData else { return nil }
    return ServerEvent(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), id: lastID)
  }
}
