import HTTP
import Secrets

/// Names one representation: the SHA-256 of its bytes, quoted (RFC 9110 §8.8.3).
///
/// It is strong, since equal tags mean equal bytes. What an answer holds for its viewer alone is among the bytes, so no
/// two viewers share a tag unless they see the same.
struct EntityTag: Equatable {
  /// As it stands in a header.
  let text: String

  init(_ digest: SHA256Digest) { text = "\"\(digest.hex)\"" }

  /// Whether `If-None-Match` names it, which means that the client has the representation (RFC 9110 §13.1.2).
  func isNamed(by request: Request) -> Bool {
    request.all(.ifNoneMatch).contains { isNamed(in: $0) }
  }

  /// Reads `*`, or a list of tags as far as it is one; by weak comparison, to which `W/` makes no difference.
  private func isNamed(in field: String) -> Bool {
    var rest = Substring(field.trimmingSpaces)
    if rest == "*" { return true }
    while true {
      rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
      if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
      if rest[...end] == text { return true }
      rest = rest[rest.index(after: end)...]
    }
  }
}

extension Response {
  /// This answer under its entity tag, or 304 for a client that has it already (RFC 9110 §15.4.5).
  ///
  /// A cache of the client's own may keep it, and asks each time before it shows it.
  func unlessKnown(to request: Request) -> Response {
    var response = self
    response.headers.removeAll { $0.name == "Cache-Control" }
    response.headers.append(("Cache-Control", "private, no-cache"))
    return response.tagged(EntityTag(SHA256Digest.of(body)), unlessKnownTo: request)
  }

  /// The same under a tag that is known, with the answer's own word for caches. A 304 keeps the body, of which the
  /// server sends the length alone (RFC 9110 §8.6).
  func tagged(_ tag: EntityTag, unlessKnownTo request: Request) -> Response {
    var response = self
    response.headers.append(("ETag", tag.text))
    guard tag.isNamed(by: request) else { return response }
    response.status = 304
    response.headers.removeAll { $0.name == "Content-Type" }
    return response
  }
}
