import HTTP
import RoostAPI
import Services
import Store
import Values

/// One request on its way through a route: its parts, read and checked as the route asks for them.
struct Call: Sendable {
  let request: Request
  let client: Client
  /// The values of the path's `{segments}`, percent-decoded, in their order.
  let segments: [String]

  /// The body as a value of the API. Failures: `encodedBody`, `unsupportedMediaType`, `malformedBody`.
  func body<Value: Decodable>(_ type: Value.Type) throws(Refused) -> Value {
    guard request.isPlain else { throw .encodedBody }
    guard request.hasJSON else { throw .unsupportedMediaType }
    do throws(JSONBody.Malformed) {
      return try JSONBody.decode(type, from: request.body)
    } catch {
      throw .malformedBody(error.reason)
    }
  }

  /// The id in the path; what is not an id names nothing.
  func id<Tag>(_ type: Tag.Type = Tag.self) throws(Failure) -> ID<Tag> {
    guard let text = segments.first, let id = ID<Tag>(text) else { throw .notFound }
    return id
  }

  /// `?limit=` and `?before=`. Failures: `malformedQuery`.
  func page<Item>(of type: Item.Type) throws(Refused) -> Store.Page<Item> {
    let query = try QueryParameters(request.query)
    var limit = PageLimit.standard
    if let text = query["limit"] {
      guard let number = Int(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        PageLimit.range.contains(number)
      else { throw .malformedQuery("limit must be a whole number from 1 to 100.") }
      limit = number
    }
    var before: ID<Item.PlaceTag>?
    if let text = query["before"] {
      guard let id = ID<Item.PlaceTag>(text) else {
        throw .malformedQuery("before must be the id that a page gave as next.")
      }
      before = id
    }
    return Store.Page(limit: limit, before: before)
  }
}

extension Request {
  /// Whether the body is what it stands for: nothing is unpacked here, so that no few bytes become many.
  var isPlain: Bool { all(.contentEncoding).allSatisfy { $0.trimmingSpaces.lowercased() == "identity" } }

  /// Whether the body says that it is JSON (RFC 8259: parameters such as a charset mean nothing).
  fileprivate var hasJSON: Bool {
    guard let type = self[.contentType] else { return false }
    let essence = type.prefix { $0 != ";" }
    return essence.trimmingSpaces.lowercased() == "application/json"
  }
}

extension StringProtocol {
  /// Without blanks and tabs at either end.
  var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = drop(while: isSpace)
    return String(start.reversed().drop(while: isSpace).reversed())
  }
}
