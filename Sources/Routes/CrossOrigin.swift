import HTTP

/// Lets pages of other origins call the API from browsers, if those origins are configured (the Fetch standard's CORS
/// protocol).
///
/// Never with credentials: such a page sends a bearer token of its own; the web client's cookie is for this site alone.
struct CrossOrigin: Sendable {
  private let origins: Set<String>

  init(origins: [String]) { self.origins = Set(origins) }

  /// How long a browser may remember what a preflight said.
  static let maxAgeSeconds = 600

  /// The answer to a preflight, or nil when the request is none or its origin is not allowed.
  func preflight(_ request: Request, allow: String) -> Response? {
    let isPreflight = request.method == .options && request[.accessControlRequestMethod] != nil
    guard isPreflight, isAllowed(request) else { return nil }
    return Response(
      status: 204,
      headers: [
        ("Access-Control-Allow-Methods", allow),
        ("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-ID"),
        ("Access-Control-Max-Age", String(Self.maxAgeSeconds)),
      ])
  }

  /// The headers that every answer to an allowed origin carries.
  func headers(for request: Request) -> [(name: String, value: String)] {
    guard !origins.isEmpty else { return [] }
    guard isAllowed(request), let origin = request[.origin] else { return [("Vary", "Origin")] }
    return [
      ("Access-Control-Allow-Origin", origin), ("Vary", "Origin"),
      ("Access-Control-Expose-Headers", "ETag, Link, Location, Retry-After, X-Request-ID"),
    ]
  }

  private func isAllowed(_ request: Request) -> Bool { request[.origin].map(origins.contains) ?? false }
}
