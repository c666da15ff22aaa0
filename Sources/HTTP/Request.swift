/// A request whose head has been read, and its body, if it has one.
public struct Request: Sendable {
  public let method: Method
  /// The path as it was sent, still percent-encoded, without the query.
  public let path: String
  /// What follows the `?`, still percent-encoded; nil without one.
  public let query: String?
  /// The address that the connection comes from, in the form of RFC 5952; a proxy's where there is one.
  public let peer: String
  /// When its head had been read, in milliseconds of a clock that never goes back.
  public let receivedMilliseconds: UInt64
  /// The body, whole.
  public internal(set) var body: [UInt8] = []
  var fields: [(header: Header, value: String)] = []
  /// Whether white space stands between the name and the colon of some field, which libmicrohttpd lets pass.
  var hasBlankBeforeColon = false

  /// The first value of a header field, or nil.
  public subscript(header: Header) -> String? {
    for field in fields where field.header == header { return field.value }
    return nil
  }

  /// All values of a header field in the order in which they came.
  public func all(_ header: Header) -> [String] {
    fields.filter { $0.header == header }.map(\.value)
  }

  /// How often a header field came.
  public func count(of header: Header) -> Int {
    fields.count { $0.header == header }
  }
}

extension Request {
  /// A request made by hand, for what has no connection.
  public init(method: Method, target: String, peer: String, headers: [(Header, String)] = [], body: [UInt8] = []) {
    self.init(method: method, target: target, peer: peer, receivedMilliseconds: 0)
    fields = headers.map { (header: $0.0, value: $0.1) }
    self.body = body
  }

  init(method: Method, target: String, peer: String, receivedMilliseconds: UInt64) {
    self.method = method
    self.peer = peer
    self.receivedMilliseconds = receivedMilliseconds
    if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
      path = String(target[..<mark])
      query = String(target[target.utf8.index(after: mark)...])
    } else {
      path = target
      query = nil
    }
  }
}
