/// What a request asks to be done (RFC 9110 §9, RFC 5789).
public enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  /// Any other; no resource takes it.
  case other = "OTHER"
}
