/// How far a long piece of work has come: a bar that is drawn over and over on a terminal, and in any case a line at the
/// end of each part.
struct Progress: ~Copyable {
  private let console: Console
  private let clock = ContinuousClock()
  private var title = ""
  private var total: Int?
  private var begin: ContinuousClock.Instant
  private var drawn: ContinuousClock.Instant?

  private static let barWidth = 30
  private static let redrawAfter = Duration.milliseconds(100)
  /// To the line's beginning, and clears what stands behind.
  private static let lineStart = "\r\u{1b}[K"

  init(_ console: Console) {
    self.console = console
    begin = clock.now
  }

  /// A new part of so many things; nil when they cannot be counted.
  mutating func begin(_ title: String, of total: Int? = nil) {
    self.title = title
    self.total = total
    begin = clock.now
    drawn = nil
    draw(0)
  }

  /// Called for each thing, or now and then.
  mutating func reached(_ count: Int) {
    guard count & 0xff == 0, let drawn, clock.now - drawn >= Self.redrawAfter else { return }
    draw(count)
  }

  /// The part is done: `tweets      1,000,000 in 8.1 s`.
  mutating func end() {
    console.draw?(Self.lineStart)
    let count = total.map { "\(Self.grouped($0)) " } ?? ""
    console.say("\(Help.padded(title, 10))  \(count)in \(Self.seconds(clock.now - begin)) s")
  }

  /// Takes a bar that is half drawn off the screen.
  func abandon() { console.draw?(Self.lineStart) }

  private mutating func draw(_ count: Int) {
    guard let draw = console.draw else { return }
    let now = clock.now
    drawn = now
    guard let total, total > 0 else { return draw("\(Self.lineStart)\(title) ...") }
    draw(Self.lineStart + Self.line(title, count, of: total, after: now - begin))
  }

  /// `tweets      [###############               ]  50 %  500,000 of 1,000,000, 4 s left`
  static func line(_ title: String, _ count: Int, of total: Int, after elapsed: Duration) -> String {
    let share = Double(count) / Double(total)
    let filled = Int(share * Double(barWidth))
    let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: barWidth - filled)
    let left = count == 0 ? "" : ", \(Int((elapsed / .seconds(1)) * (1 - share) / share + 0.5)) s left"
    let percent = "\(Int(share * 100))"
    let pad = String(repeating: " ", count: max(0, 3 - percent.count))
    return "\(Help.padded(title, 10))  [\(bar)] \(pad)\(percent) %  \(grouped(count)) of \(grouped(total))\(left)"
  }

  /// `1,000,000`
  static func grouped(_ number: Int) -> String {
    let digits = Array("\(number)")
    return String(
      digits.enumerated().flatMap { index, digit in
        index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
      })
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100) + 0.5)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
