import HTTP

extension Request {
  /// Whether the client has what the entity tag names (RFC 9110 §13.1.2, by weak comparison).
  func names(etag: String) -> Bool {
    all(.ifNoneMatch).contains { field in
      field.split(separator: ",").contains { part in
        let tag = part.trimmingSpaces
        return tag == "*" || tag == etag || tag == "W/\(etag)"
      }
    }
  }
}
