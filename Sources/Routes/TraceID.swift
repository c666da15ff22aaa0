import HTTP

/// The trace that a request belongs to, as its sender says (W3C Trace Context, `traceparent`), for the log: so that a
/// proxy's and an app's traces lead to the lines of this server.
enum TraceID {
  /// The 32 hexadecimal digits of the trace's id; nil when there is none in form.
  static func of(_ request: Request) -> String? {
    guard request.count(of: .traceParent) == 1, let text = request[.traceParent] else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    // Later versions may have more parts; `ff` is none.
    guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      parts[1].count == 32, parts[2].count == 16, parts[3].count == 2,
      parts[0...3].allSatisfy({ $0.utf8.allSatisfy(isLowercaseHex) }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
    else { return nil }
    return String(parts[1])
  }

  private static func isLowercaseHex(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
