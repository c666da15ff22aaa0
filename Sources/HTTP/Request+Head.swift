internal import CMicroHTTPD

extension Request {
  /// Keeps the header fields that ``Header`` names.
  mutating func readFields(of connection: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { request in
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { request, _, name, nameSize, value, valueSize in
          guard let request, let name, let value else { return .YES }
          let fields = request.assumingMemoryBound(to: Request.self)
          let header = name.withMemoryRebound(to: UInt8.self, capacity: nameSize) {
            let name = UnsafeBufferPointer(start: $0, count: nameSize)
            if let last = name.last, last == 0x20 || last == 0x09 { fields.pointee.hasBlankBeforeColon = true }
            return Header(name: name)
          }
          guard let header else { return .YES }
          let bytes = UnsafeRawBufferPointer(start: value, count: valueSize)
          fields.pointee.fields.append((header, String(decoding: bytes, as: UTF8.self)))
          return .YES
        }, request)
    }
  }

  /// How long its body is; nil when the head does not tell.
  var bodyBytesDeclared: Int? {
    if let length = self[.contentLength] { return Int(length) }
    return self[.transferEncoding] == nil ? 0 : nil
  }

  /// Why the request is refused once its head is there, or nil.
  ///
  /// Two lengths, or a length beside an encoding, are how requests are smuggled past a proxy (RFC 9112 §6.3); so is a
  /// length that one of the two does not see, for a blank between its name and the colon (§5.1).
  func refusal(headBytes: Int, _ limits: ServerLimits, bodyBytesMax: Int) -> Refusal? {
    if headBytes > limits.headBytesMax { return .headTooLarge(bytesMax: limits.headBytesMax) }
    guard path.utf8.first == UInt8(ascii: "/") else { return .malformed("the target is not a path") }
    if hasBlankBeforeColon { return .malformed("a blank before a colon") }
    if count(of: .host) > 1 { return .malformed("more than one Host") }
    let lengths = count(of: .contentLength)
    if lengths > 1 { return .malformed("more than one Content-Length") }
    if let encoding = self[.transferEncoding] {
      guard lengths == 0 else { return .malformed("both Content-Length and Transfer-Encoding") }
      guard count(of: .transferEncoding) == 1, encoding.lowercased() == "chunked" else {
        return .malformed("a Transfer-Encoding other than chunked")
      }
    }
    if let length = self[.contentLength] {
      guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !length.isEmpty else {
        return .malformed("a Content-Length that is not a number")
      }
      guard let bytes = Int(length), bytes <= bodyBytesMax else { return .bodyTooLarge(bytesMax: bodyBytesMax) }
    }
    return nil
  }
}
