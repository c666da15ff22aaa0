import HTTP
import RoostAPI
import Secrets
import Services
import Values

/// Where a request comes from: its client's address behind proxies, and the session it presents.
///
/// The token is a bearer token (RFC 6750), or else the web client's cookie. A cookie is sent by a browser whoever made
/// it ask, so that calls by cookie which change something must come from this very site.
struct Origin: Sendable {
  let client: Client
  /// Whether any token came along, good or not.
  let isTokenPresented: Bool
  /// Why the headers contradict each other, or nil.
  let conflict: String?
  private let isByCookie: Bool
  private let ownOrigin: String

  init(_ request: Request, _ app: App) {
    let peer = ClientAddress(request.peer) ?? ClientAddress.unknown
    let address = app.proxies.client(peer: peer, forwardedFor: request.all(.forwardedFor))
    var token: SessionToken?
    if request.count(of: .authorization) > 1 {
      conflict = "Send one Authorization header only."
      (isTokenPresented, isByCookie) = (true, false)
    } else {
      conflict = nil
      let bearer = request[.authorization].map(Self.bearerToken)
      let cookie = bearer == nil ? SessionCookie(app.publicURL).token(in: request) : nil
      token = (bearer ?? cookie.map { $0[...] }).flatMap { SessionToken(presented: $0) }
      (isTokenPresented, isByCookie) = (bearer != nil || cookie != nil, bearer == nil && cookie != nil)
    }
    client = Client(
      address: address, userAgent: request[.userAgent], token: token?.digest,
      language: Language(acceptLanguage: request[.acceptLanguage]))
    ownOrigin = app.publicURL.origin
  }

  /// Whether a page of another site makes use of the cookie to change something.
  ///
  /// Browsers say where a request comes from in Sec-Fetch-Site, older ones in Origin; one that says neither is refused.
  func isCrossSite(_ request: Request) -> Bool {
    guard isByCookie, request.method != .get, request.method != .head else { return false }
    if let site = request[.secFetchSite] { return site != "same-origin" }
    return request[.origin] != ownOrigin
  }

  private static let bearer = Array("bearer".utf8)

  /// What follows `Bearer`, in any case; empty when it is another scheme.
  private static func bearerToken(_ authorization: String) -> Substring {
    let bytes = authorization.utf8
    let scheme = bytes.prefix(bearer.count)
    guard scheme.elementsEqual(bearer, by: { $0 | 0x20 == $1 }) else { return "" }
    let rest = bytes[scheme.endIndex...]
    let token = rest.drop { $0 == UInt8(ascii: " ") }
    return token.startIndex == rest.startIndex ? "" : Substring(token)
  }
}

extension ClientAddress {
  /// Stands for a peer that has no address, on a Unix socket for instance.
  static let unknown = ClientAddress("0.0.0.0")!
}
