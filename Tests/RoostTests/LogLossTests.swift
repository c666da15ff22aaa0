import Testing

@testable import Log

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct LogLossTests {
  let pipe: LogPipe

  init() throws { pipe = try LogPipe() }

  @Test func `a full pipe neither blocks nor loses what fits in memory`() {
    let log = pipe.log()
    pipe.fill()
    for _ in 0..<100 { log.error("waiting") }
    let junk = pipe.text()
    #expect(!junk.contains("waiting"))
    log.flush()
    let lines = pipe.lines()
    #expect(lines.count == 100)
    #expect(lines.allSatisfy { $0.contains("waiting") })
  }

  @Test func `lines that a full pipe cannot take are counted and told later`() throws {
    let log = pipe.log()
    pipe.fill()
    let text = String(repeating: "x", count: 1000)
    let count = 2000
    for _ in 0..<count { log.info("request", ["path": .text(text)]) }
    var lines: [String] = []
    _ = pipe.text()
    while true {
      log.flush()
      let arrived = pipe.lines()
      if arrived.isEmpty { break }
      lines += arrived
    }
    let notice = try #require(lines.last)
    let lost = try #require(notice.firstMatch(of: #/"level":"warning","event":"log_lines_dropped","lines":(\d+)\}/#))
    #expect(Int(lost.1) == count - (lines.count - 1))
    #expect((lines.count - 1) * 1000 < Log.pendingBytesMax + Log.lineBytesMax)
    log.warning("next")
    #expect(pipe.lines().count == 1)
  }

  @Test func `a closed pipe does not end the process`() {
    let log = pipe.log()
    pipe.closeReader()
    for _ in 0..<1000 { log.error("lost") }
    log.flush(waitMilliseconds: 100)
    let closed = Log(level: .info, format: .json, descriptor: 9999)
    closed.error("lost too")
    closed.flush()
  }

  @Test func `a descriptor that works again is told how much it missed`() throws {
    // The number stands for one file after another, as when a log is rotated below the process.
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    let log = Log(level: .info, format: .json, descriptor: descriptor)
    for _ in 0..<5 { log.info("lost") }
    log.flush()
    log.error("lost")
    try #require(dup2(pipe.writer, descriptor) == descriptor)
    log.error("arrived")
    close(descriptor)
    let lines = pipe.lines()
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""event":"arrived""#) == true)
    #expect(lines.last?.hasSuffix(#""event":"log_lines_dropped","lines":6}"#) == true)
  }

  @Test func `a line that was torn is not continued by the next one`() throws {
    let descriptor = dup(pipe.writer)
    let log = Log(level: .info, format: .json, descriptor: descriptor)
    fillAllButOnePage()
    // 4096 bytes of it are written, the rest waits; then the descriptor breaks, then it works again.
    log.error("torn", ["path": .text(String(repeating: "x", count: 6000))])
    let torn = pipe.text().split(separator: "\n").last.map(String.init)
    #expect(torn?.contains("torn") == true)
    let full = open("/dev/full", O_WRONLY)
    dup2(full, descriptor)
    close(full)
    log.flush()
    dup2(pipe.writer, descriptor)
    log.error("whole")
    close(descriptor)
    let text = pipe.text()
    #expect(text.hasPrefix("\n{"))
    #expect(text.contains(#""event":"log_lines_dropped","lines":1}"#))
  }

  /// The pipe takes one more write of a page, and no second one.
  private func fillAllButOnePage() {
    pipe.fill()
    var page = [UInt8](repeating: 0, count: 4096)
    _ = read(pipe.reader, &page, page.count)
    _ = write(pipe.writer, "\n", 0)
  }

  @Test func `no line is written twice or mixed up when many threads log`() async {
    let log = pipe.log()
    let drained = await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for line in 0..<50 { log.info("request", ["thread": .number(thread), "line": .number(line)]) }
          log.flush()
        }
      }
      await group.waitForAll()
      return pipe.lines()
    }
    #expect(drained.count == 200)
    let form = #/\{"time":"[^"]*","level":"info","event":"request","thread":(\d),"line":(\d+)\}/#
    let seen = drained.compactMap { $0.wholeMatch(of: form).map { "\($0.1) \($0.2)" } }
    #expect(Set(seen).count == 200)
  }

  @Test func `a log that is off writes nothing`() {
    Log.off.error("unseen")
    Log.off.flush()
    #expect(!Log.off.isEnabled(.error))
  }
}
