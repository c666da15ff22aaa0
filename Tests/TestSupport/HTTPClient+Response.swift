import RoostAPI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPClient {
  /// An answer as it came over the wire.
  public struct Response: Sendable, CustomStringConvertible {
    public let status: Int
    public let reason: String
    /// In the order in which they came.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]

    public init(status: Int, reason: String, headers: [(name: String, value: String)], body: [UInt8]) {
      self.status = status
      self.reason = reason
      self.headers = headers
      self.body = body
    }

    /// The value of a header, whatever the case of its name; nil when it did not come.
    public subscript(name: String) -> String? { all(name).first }

    /// All values of a header in the order in which they came.
    public func all(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body, decoded as strictly as a client does.
    public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try JSONDecoder.roost.decode(type, from: Data(body))
    }

    /// Status, headers and body, for the messages of failed tests.
    public var description: String {
      let head = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
      return "\(status) \(reason)\n\(head)\n\n\(text.prefix(2_000))"
    }
  }
}
