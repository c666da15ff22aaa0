/// Structured logging: one event is one line, JSON for machines or readable text for a terminal.
///
/// Lines gather in memory and reach the descriptor at `flush()`, which the event loop calls at the end of each turn;
/// at once for warnings and errors, and whenever more than `flushBytes` have gathered. Logging never blocks, never
/// throws and never ends the process: lines that a full or closed descriptor cannot take are dropped and counted,
/// and `log_lines_dropped` says how many as soon as lines get through again. (The process must ignore SIGPIPE.)
///
/// A copy shares the descriptor and its buffer; it may be used from any thread.
///
/// What is logged is the caller's choice and is written as it is. So never hand over a password, a token, a hash, a
/// request body, a connection string, or PostgreSQL's DETAIL (it holds row data); types of secrets have no raw text
/// to hand over.
public struct Log: Sendable {
  /// The longest line, its line feed included. What does not fit is cut, and the line ends with `truncated` = true.
  public static let lineBytesMax = 8192
  /// How much may gather before it is written without waiting for `flush()`.
  public static let flushBytes = 32 * 1024
  /// How much waits in memory for a descriptor that takes nothing; further lines are dropped and counted.
  public static let pendingBytesMax = 1024 * 1024

  /// How much an event matters, from `debug` up to `error`.
  public enum Level: String, CaseIterable, Comparable, Sendable {
    case debug, info, warning, error

    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .warning: 2
      case .error: 3
      }
    }
  }

  /// `json`: `{"time":"2026-11-30T09:15:00.123Z","level":"info","event":"request","method":"GET"}`.
  /// `text`: `09:15:00.123 info    request method=GET`, the time in UTC.
  public enum Format: String, CaseIterable, Sendable { case text, json }

  /// A log whose lines at `level` and above go to `descriptor`, which stays the caller's to close.
  public init(level: Level, format: Format, descriptor: Int32) {
    self.level = level
    outlet = descriptor < 0 ? nil : Outlet(descriptor: descriptor, format: format)
  }

  /// A log that writes nothing.
  public static var off: Log { Log(level: .error, format: .json, descriptor: -1) }

  /// Whether a line of `level` would be written. Fields are only evaluated when it is, so this is seldom needed.
  public func isEnabled(_ level: Level) -> Bool { outlet != nil && level >= self.level }

  /// An event that helps to find a mistake. Keys are `camelCase` words other than `time`, `level` and `event`.
  public func debug(_ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, Value> = [:]) {
    if isEnabled(.debug) { outlet?.append(.debug, event, fields()) }
  }

  /// An event of ordinary operation, such as an answered request.
  public func info(_ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, Value> = [:]) {
    if isEnabled(.info) { outlet?.append(.info, event, fields()) }
  }

  /// An event that somebody should look at although work goes on. Written at once.
  public func warning(_ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, Value> = [:]) {
    if isEnabled(.warning) { outlet?.append(.warning, event, fields()) }
  }

  /// An event after which something is missing or broken. Written at once.
  public func error(_ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, Value> = [:]) {
    if isEnabled(.error) { outlet?.append(.error, event, fields()) }
  }

  /// Writes what has gathered, as far as the descriptor takes it; the rest waits for the next call.
  ///
  /// With `waitMilliseconds` it waits up to so long for a descriptor that takes nothing yet: for the last call before
  /// the process ends, never on a loop.
  public func flush(waitMilliseconds: Int32 = 0) { outlet?.flush(waitMilliseconds: waitMilliseconds) }

  private let level: Level
  private let outlet: Outlet?
}
