/// The stable names of the problems that Roost answers with. Each belongs to one HTTP status.
public enum ProblemCode: String, Codable, Sendable, CaseIterable {
  /// The request line, the path or a header cannot be understood.
  case malformedRequest = "malformed_request"
  /// A header that may come once came twice, or two headers contradict each other.
  case conflictingHeaders = "conflicting_headers"
  /// The body is not the JSON document it should be, or a value in it has the wrong type.
  case malformedBody = "malformed_body"
  /// A query parameter is out of its form or range.
  case malformedQuery = "malformed_query"

  /// There is no session, or it has ended.
  case signedOut = "signed_out"
  /// No account has that login and password together.
  case wrongCredentials = "wrong_credentials"
  /// The session is good, and the password that came along is not the account's.
  case wrongPassword = "wrong_password"
  /// A state-changing call by cookie came from another site.
  case crossSite = "cross_site"
  /// There is no such path, or no such thing, or it is somebody else's.
  case notFound = "not_found"
  /// The path exists; the `Allow` header says for which methods.
  case methodNotAllowed = "method_not_allowed"
  /// The request took too long to arrive.
  case requestTimeout = "request_timeout"
  /// The username or the email address belongs to an account already; `errors` says which.
  case taken = "taken"
  /// A mailed link was used, is too old, or was replaced by a newer one.
  case linkExpired = "link_expired"
  case bodyTooLarge = "body_too_large"
  case uriTooLong = "uri_too_long"
  /// A body must be `application/json`, a profile photo a picture of a known format.
  case unsupportedMediaType = "unsupported_media_type"
  /// Fields are missing or break a rule; `errors` says which.
  case invalidFields = "invalid_fields"
  /// The `Idempotency-Key` was used before with another body.
  case idempotencyKeyReused = "idempotency_key_reused"
  /// The account to follow is one's own.
  case cannotFollowSelf = "cannot_follow_self"
  /// What was uploaded is no picture, or a damaged or too large one.
  case notAnImage = "not_an_image"
  /// A limit is used up; `Retry-After` says for how many seconds.
  case tooManyRequests = "too_many_requests"
  case headerFieldsTooLarge = "header_fields_too_large"

  case internalError = "internal_error"
  /// More work is waiting than this server takes on; `Retry-After` says when to come back.
  case overloaded = "overloaded"
  /// The database does not answer; the server recovers by itself.
  case databaseUnavailable = "database_unavailable"
  /// The server is starting or about to stop; only `Endpoint.ready` says so.
  case notReady = "not_ready"

  /// The HTTP status that goes with the code.
  public var status: Int {
    switch self {
    case .malformedRequest, .conflictingHeaders, .malformedBody, .malformedQuery: 400
    case .signedOut, .wrongCredentials: 401
    case .wrongPassword, .crossSite: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .requestTimeout: 408
    case .taken: 409
    case .linkExpired: 410
    case .bodyTooLarge: 413
    case .uriTooLong: 414
    case .unsupportedMediaType: 415
    case .invalidFields, .idempotencyKeyReused, .cannotFollowSelf, .notAnImage: 422
    case .tooManyRequests: 429
    case .headerFieldsTooLarge: 431
    case .internalError: 500
    case .overloaded, .databaseUnavailable, .notReady: 503
    }
  }

  /// The reason phrase of the status (RFC 9110, 6585), which RFC 9457 wants as the title of an `about:blank` problem.
  public var title: String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    default: "Service Unavailable"
    }
  }
}
