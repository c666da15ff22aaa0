import HTTP
import Secrets

/// The cookie in which the web client keeps its token, out of reach of scripts.
struct SessionCookie {
  private let name: String
  private let attributes: String

  init(_ url: PublicURL) {
    // The prefix makes browsers insist on Secure and Path=/, and on this very host (RFC 6265bis §4.1.3.2).
    name = url.isSecure ? "__Host-roost_session" : "roost_session"
    attributes = url.isSecure ? "Path=/; HttpOnly; SameSite=Lax; Secure" : "Path=/; HttpOnly; SameSite=Lax"
  }

  /// The cookie's value in a request, or nil.
  func token(in request: Request) -> String? {
    for header in request.all(.cookie) {
      for pair in header.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0].trimmingSpaces == name { return parts[1].trimmingSpaces }
      }
    }
    return nil
  }

  /// `Set-Cookie` for a new session; the browser keeps it for `maxSeconds`, the server decides whether it is good.
  func set(_ token: SessionToken, maxSeconds: Int) -> (name: String, value: String) {
    ("Set-Cookie", "\(name)=\(token.text); Max-Age=\(maxSeconds); \(attributes)")
  }

  /// `Set-Cookie` that removes it.
  func removal() -> (name: String, value: String) {
    ("Set-Cookie", "\(name)=; Max-Age=0; \(attributes)")
  }
}
