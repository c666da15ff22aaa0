import Foundation
import Testing

@testable import RoostClient

/// `text/event-stream` as the HTML Standard has it.
@Suite struct EventParserTests {
  private func events(_ text: String) throws -> [ServerEvent] {
    var parser = EventParser()
    return try parser.events(in: Data(text.utf8))
  }

  @Test func `an event has a name, data and the last id`() throws {
    let text = """
      retry: 2000

      : a comment
      event: tweet
      id: 7
      data: {"a":
      data: 1}

      event: reload
      data: {}

      data

      """
    #expect(
      try events(text + "\n") == [
        ServerEvent(name: "tweet", data: "{\"a\":\n1}", id: "7"), ServerEvent(name: "reload", data: "{}", id: "7"),
        ServerEvent(name: "message", data: "", id: "7"),
      ])
  }

  @Test func `lines end in any of three ways, and events without data are none`() throws {
    let expected = [ServerEvent(name: "a", data: "1"), ServerEvent(name: "message", data: "2")]
    for end in ["\n", "\r\n", "\r"] {
      let lines = ["event: a", "data: 1", "", "event: none", "", "data:2", "", ": beat", "", "data: cut off"]
      #expect(try events(lines.joined(separator: end)) == expected, "\(end.utf8.map { $0 })")
    }
    #expect(try events("\u{feff}event: a\ndata: 1\n\n") == [expected[0]])
  }

  @Test func `it does not matter how the bytes are cut`() throws {
    let text = "event: tweet\r\nid: 1\r\ndata: 한글 \u{1f426}\r\n\r\n: beat\r\n\r\ndata: two\r\n\r\n"
    let whole = try events(text)
    #expect(whole.count == 2 && whole[0].data == "한글 \u{1f426}")
    for size in 1...7 {
      var parser = EventParser()
      var pieces: [ServerEvent] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        pieces += try parser.events(in: Data(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(pieces == whole, "\(size)")
    }
  }

  @Test func `the server says when to come back`() throws {
    var parser = EventParser()
    _ = try parser.events(in: Data("retry: 2000\n\nretry: soon\n\n".utf8))
    #expect(parser.retryMilliseconds == 2_000)
  }

  @Test func `an event has a largest size`() throws {
    var parser = EventParser()
    let piece = Data(repeating: UInt8(ascii: "x"), count: EventParser.eventBytesMax)
    #expect(throws: EventParser.TooLarge.self) {
      for _ in 0..<3 { _ = try parser.events(in: piece) }
    }
  }
}
