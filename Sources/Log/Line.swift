/// The form of one line: how an event, its fields and their values are written.
struct Line {
  let level: Log.Level
  let event: StaticString
  let fields: KeyValuePairs<StaticString, Log.Value>

  /// Room kept for the end of a line that is cut: `","truncated":true}` and a line feed.
  private static let endBytes = 20
  /// The longest number: -1.7976931348623157e+308.
  private static let numberBytesMax = 24

  /// Appends the line with its line feed; `time` is the RFC 3339 form. At most `Log.lineBytesMax` bytes.
  func append(to bytes: inout [UInt8], time: [UInt8], format: Log.Format) {
    let end = bytes.count + Log.lineBytesMax - Self.endBytes
    switch format {
    case .json: appendJSON(to: &bytes, time: time, end: end)
    case .text: appendText(to: &bytes, time: time, end: end)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private func appendJSON(to bytes: inout [UInt8], time: [UInt8], end: Int) {
    bytes.append(literal: #"{"time":""#)
    bytes.append(contentsOf: time)
    bytes.append(literal: #"","level":""#)
    bytes.append(literal: level.name)
    bytes.append(literal: #"","event":""#)
    var whole = bytes.appendEscaped(event, end: end)
    bytes.append(UInt8(ascii: "\""))
    for (key, value) in fields where whole && value != .absent {
      let start = bytes.count
      bytes.append(literal: ",\"")
      whole = bytes.appendEscaped(key, end: end - 3)
      bytes.append(literal: "\":")
      guard whole, bytes.count + Self.numberBytesMax <= end else {
        bytes.removeSubrange(start...)
        whole = false
        break
      }
      whole = bytes.append(value, quoted: true, end: end)
    }
    bytes.append(literal: whole ? "}" : #","truncated":true}"#)
  }

  private func appendText(to bytes: inout [UInt8], time: [UInt8], end: Int) {
    bytes.append(contentsOf: time[11..<23])
    bytes.append(UInt8(ascii: " "))
    bytes.append(literal: level.paddedName)
    bytes.append(UInt8(ascii: " "))
    var whole = bytes.appendEscaped(event, end: end)
    for (key, value) in fields where whole && value != .absent {
      let start = bytes.count
      bytes.append(UInt8(ascii: " "))
      whole = bytes.appendEscaped(key, end: end - 2)
      bytes.append(UInt8(ascii: "="))
      guard whole, bytes.count + Self.numberBytesMax <= end else {
        bytes.removeSubrange(start...)
        whole = false
        break
      }
      whole = bytes.append(value, quoted: false, end: end)
    }
    if !whole { bytes.append(literal: " truncated=true") }
  }
}

extension Log.Level {
  fileprivate var name: StaticString {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }

  fileprivate var paddedName: StaticString {
    switch self {
    case .debug: "debug  "
    case .info: "info   "
    case .warning: "warning"
    case .error: "error  "
    }
  }
}
