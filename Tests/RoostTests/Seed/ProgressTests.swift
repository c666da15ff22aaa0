import Synchronization
import Testing

@testable import roost

@Suite struct ProgressTests {
  @Test func `a bar tells how far it is, and how long it will take`() {
    #expect(
      Progress.line("tweets", 500_000, of: 1_000_000, after: .seconds(4))
        == "tweets      [###############               ]  50 %  500,000 of 1,000,000, 4 s left")
    #expect(
      Progress.line("x", 0, of: 10, after: .zero) == "x           [                              ]   0 %  0 of 10")
    #expect(
      Progress.line("x", 10, of: 10, after: .seconds(1))
        == "x           [##############################] 100 %  10 of 10, 0 s left")
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")])
  func `large numbers are grouped`(number: Int, text: String) { #expect(Progress.grouped(number) == text) }

  private func said(onTerminal: Bool) -> (lines: [String], drawn: [String]) {
    let said = Mutex((lines: [String](), drawn: [String]()))
    let draw: @Sendable (String) -> Void = { text in said.withLock { $0.drawn.append(text) } }
    var progress = Progress(
      Console(
        say: { line in said.withLock { $0.lines.append(line) } }, complain: { _ in }, draw: onTerminal ? draw : nil))
    progress.begin("tweets", of: 300)
    for count in 1...300 { progress.reached(count) }
    progress.end()
    progress.begin("commit")
    progress.end()
    return said.withLock { $0 }
  }

  @Test func `on a terminal a bar is drawn and cleared; elsewhere there are only lines`() {
    let terminal = said(onTerminal: true)
    #expect(terminal.drawn.first?.contains("0 of 300") == true && terminal.drawn.last == "\r\u{1b}[K")
    let plain = said(onTerminal: false)
    #expect(plain.drawn == [])
    for lines in [terminal.lines, plain.lines] {
      #expect(lines.count == 2)
      #expect(
        lines[0].contains(#/^tweets      300 in \d+\.\d s$/#) && lines[1].contains(#/^commit      in \d+\.\d s$/#))
    }
  }
}
