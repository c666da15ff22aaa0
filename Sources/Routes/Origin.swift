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
    client = Client(address: address, device: request[.userAgent].flatMap { DeviceName($0) }, token: token?.digest)
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

  /// What follows `Bearer`, in any case; empty when it is another scheme.
  private static func bearerToken(_ authorization: String) -> Substring {
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
    return parts[1].drop { $0 == " " }
  }
}

extension ClientAddress {
  /// Stands for a peer that has no address, on a Unix socket for instance.
  static let unknown = ClientAddress("0.0.0.0")!
}
