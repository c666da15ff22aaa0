import Testing

@testable import Log

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct LogTests {
  let pipe: LogPipe

  init() throws { pipe = try LogPipe() }

  /// Fields of the one line that was written, by a JSON reader that is not ours.
  private struct Fields: Decodable {
    let time: String
    let level: String
    let event: String
    var path: String?
    var status: Int?
    var seconds: Double?
    var isNew: Bool?
    var truncated: Bool?
  }

  private func onlyLine() throws -> Fields {
    let lines = pipe.lines()
    try #require(lines.count == 1)
    return try JSONDecoder().decode(Fields.self, from: Data(lines[0].utf8))
  }

  @Test func `a field that is absent leaves no trace`() throws {
    let log = pipe.log()
    log.info("request", ["path": "/v1/me", "seconds": .absent, "status": 200])
    log.flush()
    let line = try #require(pipe.lines().first)
    #expect(line.hasSuffix(#""event":"request","path":"/v1/me","status":200}"#))
  }

  @Test func `an event is one line of JSON with its fields in order`() throws {
    let log = pipe.log()
    log.info("request", ["path": "/v1/me", "status": 200, "seconds": 0.00125, "isNew": true])
    log.flush()
    let line = try #require(pipe.lines().first)
    #expect(
      line.wholeMatch(
        of: #/\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","level":"info","event":"request",(.*)\}/#
      )?.1 == #""path":"/v1/me","status":200,"seconds":0.001,"isNew":true"#)
  }

  @Test func `text is readable and quotes only what needs it`() throws {
    let log = pipe.log(.debug, .text)
    log.info("request", ["path": "/v1/me", "agent": "curl 8", "empty": "", "sum": "a=b", "status": -1])
    log.flush()
    let line = try #require(pipe.lines().first)
    #expect(
      line.wholeMatch(of: #/\d\d:\d\d:\d\d\.\d{3} info    (.*)/#)?.1
        == #"request path=/v1/me agent="curl 8" empty="" sum="a=b" status=-1"#)
  }

  @Test(arguments: [
    "\n{\"level\":\"error\",\"event\":\"planted\"}", "\r\n", "\u{0}", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{9b}2J",
    "\u{2028}", "\u{2029}", "\u{202e}", "\u{2066}", "\"", "\\", "\\\"", "\u{8}\u{c}\t", "ä€😀", "e\u{301}", "",
  ])
  func `whatever a value holds, it comes back the same from one line`(value: String) throws {
    let log = pipe.log()
    log.info("request", ["path": .text(value), "status": 7])
    log.flush()
    let fields = try onlyLine()
    #expect(fields.path.map { Array($0.utf8) } == Array(value.utf8))
    #expect(fields.status == 7)
    #expect(fields.event == "request")
  }

  @Test(arguments: Log.Format.allCases)
  func `no control or deceptive character reaches the descriptor`(format: Log.Format) {
    let log = pipe.log(.debug, format)
    let planted = "\n\r\u{0}\u{1b}\u{7f}\u{85}\u{9b}\u{200e}\u{2028}\u{202a}\u{202e}\u{2066}\u{2069}"
    log.info("request", ["path": .text(planted), "agent": .text("x" + planted + "y")])
    log.flush()
    let text = pipe.text()
    #expect(text.hasSuffix("\n"))
    let scalars = text.dropLast().unicodeScalars
    #expect(scalars.allSatisfy { (0x20..<0x7f).contains($0.value) })
    #expect(text.contains(#"\n\r\u0000\u001b\u007f\u0085\u009b\u200e\u2028\u202a\u202e\u2066\u2069"#))
  }

  @Test func `lines below the level are not written and their fields not evaluated`() {
    let log = pipe.log(.warning)
    var evaluated = 0
    func costly() -> String {
      evaluated += 1
      return "x"
    }
    log.debug("a", ["path": .text(costly())])
    log.info("b", ["path": .text(costly())])
    log.warning("c", ["path": .text(costly())])
    log.error("d")
    log.flush()
    #expect(pipe.lines().map { $0.contains(#""level":"warning""#) } == [true, false])
    #expect(evaluated == 1)
    #expect(Log.Level.allCases.map { log.isEnabled($0) } == [false, false, true, true])
  }

  @Test func `lines wait for flush, except warnings and errors`() {
    let log = pipe.log()
    log.info("first")
    #expect(pipe.text() == "")
    log.warning("second")
    #expect(pipe.lines().count == 2)
    log.info("third")
    log.flush()
    #expect(pipe.lines().count == 1)
    log.flush()
    #expect(pipe.text() == "")
  }

  @Test func `much is written without waiting for flush`() {
    let log = pipe.log()
    let before = Log.flushBytes / 1000
    for _ in 0..<before + 2 { log.info("request", ["path": .text(String(repeating: "x", count: 1000))]) }
    #expect(pipe.text().utf8.count > Log.flushBytes)
  }

  @Test(arguments: ["x", "\n", "ä", "😀", "\u{2028}"], 0..<8)
  func `a line has a limit and stays well formed when it is cut`(piece: String, shift: Int) throws {
    let log = pipe.log()
    let value = String(repeating: "x", count: shift) + String(repeating: piece, count: 100_000)
    log.info("request", ["path": .text(value), "status": 1])
    log.flush()
    let text = pipe.text()
    #expect(text.utf8.count <= Log.lineBytesMax)
    #expect(text.utf8.count > Log.lineBytesMax - 16)
    let fields = try JSONDecoder().decode(Fields.self, from: Data(text.utf8))
    #expect(fields.truncated == true)
    #expect(fields.status == nil)
    #expect(fields.path.map { value.hasPrefix($0) } == true)
  }

  @Test(arguments: [Log.Value.number(.min), .decimal(-.greatestFiniteMagnitude), .flag(false), .text("x")])
  func `at the edge a field is there whole or not at all`(last: Log.Value) throws {
    let log = pipe.log()
    var wholes = Set<Bool>()
    for count in 7900...8192 {
      log.info("request", ["path": .text(String(repeating: "x", count: count)), "last": last])
      log.flush()
      let line = pipe.text()
      let fields = try JSONDecoder().decode(Fields.self, from: Data(line.utf8))
      #expect(line.utf8.count <= Log.lineBytesMax)
      #expect((fields.truncated == true) != line.contains(",\"last\":"))
      wholes.insert(fields.truncated == nil)
    }
    #expect(wholes == [true, false])
  }

  @Test(arguments: [
    (0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (0.0004, "0"), (-0.0004, "0"), (0.0005, "0.001"), (12.0405, "12.041"),
    (1.999_9, "2"), (3.07, "3.07"), (1e11, "100000000000"), (1e20, "1e+20"), (.infinity, "null"), (.nan, "null"),
  ])
  func `a decimal has at most three fraction digits`(decimal: Double, text: String) {
    let log = pipe.log()
    log.info("x", ["seconds": .decimal(decimal)])
    log.flush()
    #expect(pipe.text().hasSuffix(#""seconds":\#(text)}"# + "\n"))
  }

  @Test(arguments: [0, 9, 10, -10, Int.max, Int.min])
  func `whole numbers are written in full`(number: Int) {
    let log = pipe.log()
    log.info("x", ["status": .number(number)])
    log.flush()
    #expect(pipe.text().hasSuffix(#""status":\#(number)}"# + "\n"))
  }
}
