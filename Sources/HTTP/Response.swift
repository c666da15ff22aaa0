/// An answer: status, header fields, and a body that is whole or written while it is sent.
public struct Response: Sendable {
  /// Writes a body piece by piece; the body ends when it returns. When it throws, the client sees a broken answer and
  /// not a short one.
  public typealias Writer = @Sendable (ResponseStream) async throws -> Void

  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  /// Writes the body in place of ``body``. It runs on the server's loop, and not at all for `HEAD`.
  public private(set) var writer: Writer?

  /// `contentType` nil: an answer without a body's type, 204 for instance.
  public init(
    status: Int, contentType: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    if let contentType { self.headers.append(("Content-Type", contentType)) }
    self.body = body
  }

  /// An answer whose body is written while it is sent, in chunks (RFC 9112 §7.1).
  public init(
    status: Int, contentType: String, headers: [(name: String, value: String)] = [], writer: @escaping Writer
  ) {
    self.init(status: status, contentType: contentType, headers: headers)
    self.writer = writer
  }

  /// The first value of a header field, or nil.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}
