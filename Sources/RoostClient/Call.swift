import Foundation
import RoostAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One use of an endpoint: what fills its path, its query and its body.
struct Call: Sendable {
  let endpoint: Endpoint
  /// For the segments of the path that stand in braces, in order.
  var values: [String] = []
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  var body: Data?
  var contentType = "application/json"
  /// Whether a second try is harmless.
  var isRepeatable: Bool

  init(_ endpoint: Endpoint, _ values: [String] = []) {
    self.endpoint = endpoint
    self.values = values
    isRepeatable = endpoint.isRepeatable
  }

  /// With a JSON document as its body.
  init(_ endpoint: Endpoint, _ values: [String] = [], json: some Encodable) {
    self.init(endpoint, values)
    // The bodies are made of texts, which always can be encoded.
    body = try? JSONEncoder.roost.encode(json)
  }

  /// Nil for an address that is none, or a value that cannot be in a path.
  func request(to server: URL, token: String?, idleSecondsMax: Double) -> URLRequest? {
    guard let path, let scheme = server.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return nil }
    var text = server.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    text += path
    for (index, item) in query.enumerated() {
      text += "\(index == 0 ? "?" : "&")\(item.name)=\(Self.encoded(item.value))"
    }
    guard let url = URL(string: text) else { return nil }
    var request = URLRequest(
      url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData, timeoutInterval: idleSecondsMax)
    request.httpMethod = endpoint.method.rawValue
    request.httpShouldHandleCookies = false
    if let body {
      request.httpBody = body
      request.setValue(contentType, forHTTPHeaderField: "Content-Type")
    }
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  /// The endpoint's path with the values in their places.
  private var path: String? {
    var rest = values[...]
    var path = ""
    for segment in endpoint.path.split(separator: "/") {
      guard let start = segment.firstIndex(of: "{"), let end = segment.firstIndex(of: "}") else {
        path += "/\(segment)"
        continue
      }
      // Dots alone would lead to another place.
      guard let value = rest.popFirst(), !["", ".", ".."].contains(value) else { return nil }
      path += "/\(segment[..<start])\(Self.encoded(value))\(segment[segment.index(after: end)...])"
    }
    return path
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private static func encoded(_ value: String) -> String {
    value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
