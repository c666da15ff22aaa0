/// Text and numbers as bytes of a line. `end` is the count of bytes that a line must not pass; what would is cut, and
/// the answer is false then.
extension [UInt8] {
  mutating func append(literal: StaticString) {
    literal.withUTF8Buffer { append(contentsOf: $0) }
  }

  mutating func append(_ value: Log.Value, quoted: Bool, end: Int) -> Bool {
    switch value {
    case .text(var text): return text.withUTF8 { append(text: $0, quoted: quoted, end: end) }
    case .number(let number): append(number: number)
    case .decimal(let decimal): append(decimal: decimal)
    case .flag(let flag): append(literal: flag ? "true" : "false")
    case .absent: break
    }
    return true
  }

  mutating func appendEscaped(_ text: StaticString, end: Int) -> Bool {
    text.withUTF8Buffer { appendEscaped($0, end: end) }
  }

  private mutating func append(text: UnsafeBufferPointer<UInt8>, quoted: Bool, end: Int) -> Bool {
    if !quoted, !text.isEmpty, text.allSatisfy(isBare) { return appendEscaped(text, end: end) }
    append(UInt8(ascii: "\""))
    defer { append(UInt8(ascii: "\"")) }
    return appendEscaped(text, end: end)
  }

  /// Appends the inside of a string of RFC 8259: quotes, backslashes and control characters are escaped, and so is what
  /// could deceive the reader of a terminal (C1 controls, line and paragraph separators, bidirectional controls).
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, end: Int) -> Bool {
    let longestEscape = 6
    if count + text.count + longestEscape <= end, text.allSatisfy(isPlainASCII) {
      append(contentsOf: text)
      return true
    }
    var plainStart = 0
    var index = 0
    while index < text.count {
      if count + index - plainStart + longestEscape > end {
        append(contentsOf: UnsafeBufferPointer(rebasing: text[plainStart..<index]))
        return false
      }
      let width = scalarWidth(leadByte: text[index])
      let scalar = UnsafeBufferPointer(rebasing: text[index..<index + width])
      index += width
      if isPlain(scalar) { continue }
      append(contentsOf: UnsafeBufferPointer(rebasing: text[plainStart..<index - width]))
      append(escaped: scalar)
      plainStart = index
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: text[plainStart...]))
    return true
  }

  private mutating func append(escaped scalar: UnsafeBufferPointer<UInt8>) {
    switch scalar[0] {
    case UInt8(ascii: "\""): append(literal: "\\\"")
    case UInt8(ascii: "\\"): append(literal: "\\\\")
    case UInt8(ascii: "\n"): append(literal: "\\n")
    case UInt8(ascii: "\r"): append(literal: "\\r")
    case UInt8(ascii: "\t"): append(literal: "\\t")
    default:
      let number = codePoint(scalar)
      append(literal: "\\u")
      for shift in stride(from: 12, through: 0, by: -4) { append(hexDigit(number >> shift & 15)) }
    }
  }

  private mutating func append(number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(magnitude: number.magnitude)
  }

  private mutating func append(magnitude: UInt) {
    if magnitude >= 10 { append(magnitude: magnitude / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
  }

  private mutating func append(decimal: Double) {
    guard decimal.isFinite else { return append(literal: "null") }
    guard decimal.magnitude < 1e12 else {
      var text = decimal.description
      return text.withUTF8 { append(contentsOf: $0) }
    }
    let thousandths = UInt((decimal.magnitude * 1000).rounded())
    if decimal < 0, thousandths > 0 { append(UInt8(ascii: "-")) }
    append(magnitude: thousandths / 1000)
    var fraction = thousandths % 1000
    if fraction == 0 { return }
    append(UInt8(ascii: "."))
    var place: UInt = 100
    while fraction > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / place))
      fraction %= place
      place /= 10
    }
  }
}

/// Whether text format may show a byte outside quotes.
private func isBare(_ byte: UInt8) -> Bool {
  byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\\")
}

private func isPlainASCII(_ byte: UInt8) -> Bool {
  byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}

private func isPlain(_ scalar: UnsafeBufferPointer<UInt8>) -> Bool {
  switch (scalar[0], scalar.count) {
  case (0..<0x20, _), (UInt8(ascii: "\""), _), (UInt8(ascii: "\\"), _), (0x7f, _): false
  case (0xc2, 2): scalar[1] >= 0xa0
  case (0xe2, 3): !isDeceptive(scalar[1], scalar[2])
  default: true
  }
}

/// U+200E, U+200F, U+2028...U+202E and U+2066...U+2069 by their second and third byte.
private func isDeceptive(_ second: UInt8, _ third: UInt8) -> Bool {
  switch (second, third) {
  case (0x80, 0x8e...0x8f), (0x80, 0xa8...0xae), (0x81, 0xa6...0xa9): true
  default: false
  }
}

private func scalarWidth(leadByte: UInt8) -> Int {
  switch leadByte {
  case 0..<0x80: 1
  case 0x80..<0xe0: 2
  case 0xe0..<0xf0: 3
  default: 4
  }
}

private func codePoint(_ scalar: UnsafeBufferPointer<UInt8>) -> UInt32 {
  switch scalar.count {
  case 1: UInt32(scalar[0])
  case 2: UInt32(scalar[0] & 0x1f) << 6 | UInt32(scalar[1] & 0x3f)
  default: UInt32(scalar[0] & 0x0f) << 12 | UInt32(scalar[1] & 0x3f) << 6 | UInt32(scalar[2] & 0x3f)
  }
}

private func hexDigit(_ value: UInt32) -> UInt8 {
  let digit = UInt8(truncatingIfNeeded: value)
  return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
}
