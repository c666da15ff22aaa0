import Synchronization

extension RawConnection {
  /// The next answer, an interim one (100) included.
  ///
  /// Its body ends where Content-Length or the last chunk says; without either, at the end of the stream.
  public func readResponse(toHEAD: Bool = false) throws(Trouble) -> HTTPClient.Response {
    let head = String(decoding: try read(through: Array("\r\n\r\n".utf8)), as: UTF8.self)
    // A carriage return and a line feed are one character in Swift.
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
    guard !lines.isEmpty else { throw .malformed(head) }
    let words = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .malformed(head) }
    var headers: [(name: String, value: String)] = []
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw .malformed(String(line)) }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append((String(line[..<colon]), String(value)))
    }
    let bare = HTTPClient.Response(
      status: status, reason: words.count > 2 ? String(words[2]) : "", headers: headers, body: [])
    let hasNoBody = toHEAD || status / 100 == 1 || status == 204 || status == 304
    let body = hasNoBody ? [] : try readBody(of: bare)
    return HTTPClient.Response(status: status, reason: bare.reason, headers: headers, body: body)
  }

  private func readBody(of response: HTTPClient.Response) throws(Trouble) -> [UInt8] {
    if response["Transfer-Encoding"]?.lowercased() == "chunked" { return try readChunks() }
    guard let length = response["Content-Length"] else { return try readToEnd() }
    guard let count = Int(length) else { throw .malformed("Content-Length: \(length)") }
    return try read(count)
  }

  private func readChunks() throws(Trouble) -> [UInt8] {
    let lineEnd = Array("\r\n".utf8)
    var body: [UInt8] = []
    while true {
      let line = String(decoding: try read(through: lineEnd).dropLast(2), as: UTF8.self)
      guard let count = Int(line.prefix { $0 != ";" }, radix: 16) else { throw .malformed("a chunk of \(line)") }
      body += try read(count)
      _ = try read(through: lineEnd)
      if count == 0 { return body }
    }
  }

  private func read(_ count: Int) throws(Trouble) -> [UInt8] {
    while received.withLock({ $0.count }) < count {
      guard try fill() else { throw .closed("in the middle of a body") }
    }
    return take(count)
  }

  /// All up to and with `mark`.
  private func read(through mark: [UInt8]) throws(Trouble) -> [UInt8] {
    while true {
      let end = received.withLock { bytes in
        bytes.indices.first { bytes[$0...].starts(with: mark) }.map { $0 + mark.count }
      }
      if let end { return take(end) }
      guard try fill() else {
        let rest = received.withLock { String(decoding: $0, as: UTF8.self) }
        throw .closed(rest.isEmpty ? "without an answer" : "in the middle of \(rest.prefix(200))")
      }
    }
  }

  private func take(_ count: Int) -> [UInt8] {
    received.withLock { bytes in
      defer { bytes.removeFirst(count) }
      return Array(bytes.prefix(count))
    }
  }
}
