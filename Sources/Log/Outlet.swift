import Synchronization

/// Where lines go: a descriptor, and the bytes that wait for it.
final class Outlet: Sendable {
  private let state: Mutex<State>

  init(descriptor: Int32, format: Log.Format) {
    state = Mutex(State(descriptor: Descriptor(number: descriptor), format: format))
  }

  func append(_ level: Log.Level, _ event: StaticString, _ fields: KeyValuePairs<StaticString, Log.Value>) {
    state.withLock { state in
      if state.pending.count > Log.pendingBytesMax { state.write(waitMilliseconds: 0) }
      guard state.pending.count <= Log.pendingBytesMax else { return state.droppedLines += 1 }
      state.append(Line(level: level, event: event, fields: fields))
      if level >= .warning || state.pending.count > Log.flushBytes { state.write(waitMilliseconds: 0) }
    }
  }

  func flush(waitMilliseconds: Int32) {
    state.withLock { $0.write(waitMilliseconds: waitMilliseconds) }
  }
}

private struct State {
  let descriptor: Descriptor
  let format: Log.Format
  var pending: [UInt8] = []
  var droppedLines = 0
  var clock = LogClock()
  /// Whether the last byte written was a line feed.
  private var isAtLineStart = true

  init(descriptor: Descriptor, format: Log.Format) {
    self.descriptor = descriptor
    self.format = format
  }

  mutating func append(_ line: Line) {
    // The rest of a line was dropped: this one must not continue it.
    if pending.isEmpty, !isAtLineStart { pending.append(lineFeed) }
    clock.tick()
    line.append(to: &pending, time: clock.text, format: format)
  }

  /// Writes what waits; then, when all went through and lines had been dropped before, the line that says so.
  mutating func write(waitMilliseconds: Int32) {
    if pending.isEmpty || !drain(waitMilliseconds: waitMilliseconds) || droppedLines == 0 { return }
    let dropped = droppedLines
    append(Line(level: .warning, event: "log_lines_dropped", fields: ["lines": .number(dropped)]))
    let isTold = drain(waitMilliseconds: waitMilliseconds) || !pending.isEmpty
    droppedLines = isTold ? 0 : dropped
  }

  /// True when all of it went through; false when some still waits or was dropped.
  private mutating func drain(waitMilliseconds: Int32) -> Bool {
    var sent = 0
    defer { pending.removeFirst(sent) }
    while sent < pending.count {
      switch descriptor.write(pending.span.extracting(sent...), waitMilliseconds: waitMilliseconds) {
      case .wrote(let count):
        sent += count
        isAtLineStart = pending[sent - 1] == lineFeed
      case .full:
        return false
      case .broken:
        // A line whose line feed alone is missing has been written.
        droppedLines += pending[sent...].dropFirst().count { $0 == lineFeed }
        sent = pending.count
        return false
      }
    }
    return true
  }
}

private let lineFeed = UInt8(ascii: "\n")
