/// An answer: status, header fields and a whole body.
public struct Response: Sendable {
  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  /// `contentType` nil: an answer without a body's type, 204 for instance.
  public init(
    status: Int, contentType: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    if let contentType { self.headers.append(("Content-Type", contentType)) }
    self.body = body
  }

  /// The first value of a header field, or nil.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}
