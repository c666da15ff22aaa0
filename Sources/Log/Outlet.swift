import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where lines go: a descriptor, and the bytes that wait for it.
final class Outlet: Sendable {
  private let state: Mutex<State>

  init(descriptor: Int32, format: Log.Format) {
    state = Mutex(State(descriptor: descriptor, format: format))
  }

  func append(_ level: Log.Level, _ event: StaticString, _ fields: KeyValuePairs<StaticString, Log.Value>) {
    state.withLock { state in
      guard state.pending.count < Log.pendingBytesMax else { return state.droppedLines += 1 }
      state.append(Line(level: level, event: event, fields: fields))
      if level >= .warning || state.pending.count > Log.flushBytes { state.write(waitMilliseconds: 0) }
    }
  }

  func flush(waitMilliseconds: Int32) {
    state.withLock { $0.write(waitMilliseconds: waitMilliseconds) }
  }
}

extension Outlet {
  fileprivate struct State {
    let descriptor: Int32
    let format: Log.Format
    var pending: [UInt8] = []
    var droppedLines = 0
    /// What was written last ended inside a line.
    var isMidLine = false
    /// The rest of that line was dropped: the next one must not continue it.
    var isTorn = false
    var clock = LogClock()

    mutating func append(_ line: Line) {
      clock.tick()
      line.append(to: &pending, time: clock.text, format: format)
    }

    /// Writes what waits; then, when that went through and lines had been dropped, the line that says so.
    mutating func write(waitMilliseconds: Int32) {
      if pending.isEmpty || !drain(waitMilliseconds: waitMilliseconds) || droppedLines == 0 { return }
      let dropped = droppedLines
      append(Line(level: .warning, event: "log_lines_dropped", fields: ["lines": .number(dropped)]))
      let isTold = drain(waitMilliseconds: waitMilliseconds) || !pending.isEmpty
      droppedLines = isTold ? 0 : dropped
    }

    /// True when all of it went through; false when some waits on or was dropped.
    private mutating func drain(waitMilliseconds: Int32) -> Bool {
      if isTorn {
        guard case .wrote = writePiece([UInt8(ascii: "\n")].span, to: descriptor, waitMilliseconds) else { return drop() }
        isTorn = false
      }
      var sent = 0
      defer { pending.removeFirst(sent) }
      while sent < pending.count {
        switch writePiece(pending.span.extracting(sent...), to: descriptor, waitMilliseconds) {
        case .wrote(let count):
          sent += count
        case .full:
          isMidLine = sent > 0 ? pending[sent - 1] != UInt8(ascii: "\n") : isMidLine
          return false
        case .broken:
        }
      }
      isMidLine = false
      return true
    }
