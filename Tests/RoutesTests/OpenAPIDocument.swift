import RoostAPI
import Testing

/// As much of an OpenAPI document as the tests look at.
struct OpenAPIDocument: Decodable, CustomTestStringConvertible {
  /// Short, since a failed expectation prints it.
  var testDescription: String { "openapi.json" }

  let openapi: String
  let security: [[String: [String]]]
  let paths: [String: PathItem]
  let components: Components

  struct PathItem: Decodable {
    let parameters: [Parameter]?
    let get: Operation?
    let post: Operation?
    let put: Operation?
    let patch: Operation?
    let delete: Operation?

    var operations: [(method: String, operation: Operation)] {
      let all = [("get", get), ("post", post), ("put", put), ("patch", patch), ("delete", delete)]
      return all.compactMap { method, operation in operation.map { (method, $0) } }
    }
  }

  struct Operation: Decodable {
    let operationId: String
    let security: [[String: [String]]]?
    let parameters: [Parameter]?
    let requestBody: Message?
    let responses: [String: Message]

    func demandsSession(byDefault security: [[String: [String]]]) -> Bool {
      let ways = self.security ?? security
      return !ways.isEmpty && !ways.contains([:])
    }
  }

  struct Parameter: Decodable {
    let ref: String?
    let name: String?
    let `in`: String?

    enum CodingKeys: String, CodingKey {
      case ref = "$ref"
      case name, `in`
    }
  }

  struct Message: Decodable {
    let ref: String?
    let headers: [String: Reference]?
    let content: [String: Content]?

    enum CodingKeys: String, CodingKey {
      case ref = "$ref"
      case headers, content
    }
  }

  struct Reference: Decodable {
    let ref: String?

    enum CodingKeys: String, CodingKey {
      case ref = "$ref"
    }
  }

  struct Content: Decodable {
    let schema: Schema
    let example: JSON?
    let examples: [String: Example]?

    struct Example: Decodable {
      let value: JSON
    }

    /// The one example, or the named ones by name backwards, so that their order is certain.
    var values: [JSON] {
      (example.map { [$0] } ?? []) + (examples ?? [:]).sorted { $0.key > $1.key }.map(\.value.value)
    }
  }

  struct Schema: Decodable {
    let properties: [String: Schema]?
    let const: JSON?
    let `enum`: [JSON]?
  }

  struct Components: Decodable {
    let parameters: [String: Parameter]
    let responses: [String: Message]
    let schemas: [String: Schema]
  }

  var operations: [(path: String, method: String, operation: Operation)] {
    paths.flatMap { path, item in item.operations.map { (path, $0.method, $0.operation) } }
  }

  func operation(_ endpoint: Endpoint) -> Operation? {
    operations.first { $0.path == endpoint.path && $0.method == endpoint.method.rawValue.lowercased() }?.operation
  }

  struct DanglingReference: Error {
    let name: String
  }

  func resolve(_ parameter: Parameter) throws(DanglingReference) -> Parameter {
    guard let ref = parameter.ref else { return parameter }
    guard let found = components.parameters[String(ref.dropFirst("#/components/parameters/".count))] else {
      throw DanglingReference(name: ref)
    }
    return found
  }

  func resolve(_ message: Message) throws(DanglingReference) -> Message {
    guard let ref = message.ref else { return message }
    guard let found = components.responses[String(ref.dropFirst("#/components/responses/".count))] else {
      throw DanglingReference(name: ref)
    }
    return found
  }
}

/// Any JSON value, to take examples over from the document.
enum JSON: Codable, Equatable {
  case null
  case flag(Bool)
  case whole(Int)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var number: Int? {
    if case .whole(let number) = self { number } else { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .whole(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .whole(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }
}
