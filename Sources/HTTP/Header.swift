/// The header fields of a request that this service reads; all others are passed over.
public enum Header: String, Sendable, CaseIterable {
  case acceptLanguage = "accept-language"
  case accessControlRequestMethod = "access-control-request-method"
  case authorization
  case contentEncoding = "content-encoding"
  case contentLength = "content-length"
  case contentType = "content-type"
  case cookie
  case forwardedFor = "x-forwarded-for"
  case forwardedProtocol = "x-forwarded-proto"
  case host
  case idempotencyKey = "idempotency-key"
  case ifNoneMatch = "if-none-match"
  case lastEventID = "last-event-id"
  case origin
  case requestID = "x-request-id"
  case secFetchSite = "sec-fetch-site"
  case traceParent = "traceparent"
  case transferEncoding = "transfer-encoding"
  case userAgent = "user-agent"

  /// Names by their length, so that most fields are passed over after one comparison.
  private static let byLength: [[(name: [UInt8], header: Header)]] = {
    var table: [[(name: [UInt8], header: Header)]] = []
    for header in allCases {
      let name = Array(header.rawValue.utf8)
      while table.count <= name.count { table.append([]) }
      table[name.count].append((name, header))
    }
    return table
  }()

  /// The header with this name, in any case (RFC 9110 §5.1).
  init?(name: UnsafeBufferPointer<UInt8>) {
    guard name.count < Self.byLength.count else { return nil }
    for candidate in Self.byLength[name.count]
    where candidate.name.elementsEqual(name, by: { $0 == $1 | 0x20 || $0 == $1 }) {
      self = candidate.header
      return
    }
    return nil
  }
}
