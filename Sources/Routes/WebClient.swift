import HTTP
import RoostAPI
import Secrets

/// The web client: one document, which all of its pages show, and the files that the document loads.
///
/// To open a page changes nothing, whatever stands in its address: what a mailed link leads to, scanners of mail open too.
/// The files stand in a folder whose name is made of the bytes of them all, so that browsers keep them for good.
struct WebClient: Sendable {
  private let folder: String
  private let document: Answer
  private let calls: Answer
  private let files: [String: WebFile]

  /// What `/.well-known/change-password` leads to (W3C, A Well-Known URL for Changing Passwords).
  static let changePassword = "/settings#password"

  /// The pages; the client's own `router.js` knows what each of them shows.
  static let pages: Set<String> = [
    "/", "/register", "/photo", "/login", "/home", "/explore", "/settings", "/reset", "/remind", "/verify", "/terms",
    "/privacy",
  ]
  /// What may follow `/u/{username}`.
  static let profilePages: Set<String> = ["followers", "following"]

  init(files all: [WebFile] = WebFile.all) {
    let version = SHA256Digest.of(all.flatMap { SHA256Digest.of($0.bytes).hex.utf8 }).hex.prefix(16)
    folder = "/assets/\(version)/"
    files = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
    let preloads = all.filter(\.isScript).map { #"<link rel="modulepreload" href="/assets/\#($0.path)">"# }
    let html = String(decoding: PackageResources.index_html, as: UTF8.self)
      .replacing("</head>", with: preloads.joined(separator: "\n") + "\n</head>")
      .replacing("\"/assets/", with: "\"\(folder)")
    document = Answer(html: Array(html.utf8), policy: Self.policy)
    calls = Answer(html: PackageResources.calls_html, policy: CallsPage.policy)
  }

  /// The answer to what is asked of the client; nil when it has nothing at the path.
  ///
  /// Failures: `methodNotAllowed`.
  func answer(to request: Request) throws(Refused) -> Response? {
    guard let response = find(request) else { return nil }
    guard request.method == .get || request.method == .head else { throw .methodNotAllowed(allow: "GET, HEAD") }
    return response
  }

  private func find(_ request: Request) -> Response? {
    let path = request.path
    if Self.isPage(path) { return document.response(to: request, caching: "no-cache") }
    if path == "/api" { return calls.response(to: request, caching: "no-cache") }
    if path == "/.well-known/change-password" {
      return Response(status: 302, headers: [("Location", Self.changePassword), ("Cache-Control", "no-store")])
    }
    guard path.hasPrefix("/assets/") else { return nil }
    // Another node may still serve another version: its page finds its files here, but does not keep them.
    let caching = path.hasPrefix(folder) ? "public, max-age=31536000, immutable" : "no-cache"
    let name = path.dropFirst("/assets/".count).drop { $0 != "/" }.dropFirst()
    return files[String(name)].map { Answer($0).response(to: request, caching: caching) }
  }

  private static func isPage(_ path: String) -> Bool {
    if pages.contains(path) { return true }
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0] == "u", !parts[1].isEmpty else { return false }
    return parts.count == 2 || profilePages.contains(String(parts[2]))
  }

  /// Nothing but the client's own files is loaded, nothing that stands in a page is run, and no text becomes markup.
  /// `blob:` shows a photo before it is sent.
  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].joined(separator: "; ")
}

/// What a browser is given, and what it is told about it.
private struct Answer: Sendable {
  let type: String
  let bytes: [UInt8]
  let tag: EntityTag
  let headers: [(name: String, value: String)]

  init(html: [UInt8], policy: String) {
    type = "text/html; charset=utf-8"
    bytes = html
    tag = EntityTag(SHA256Digest.of(html))
    headers = [
      ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"),
      ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }

  init(_ file: WebFile) {
    type = file.mediaType
    bytes = file.bytes
    tag = file.tag
    headers = [
      ("Content-Security-Policy", "default-src 'none'"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }

  func response(to request: Request, caching: String) -> Response {
    Response(status: 200, contentType: type, headers: headers + [("Cache-Control", caching)], body: bytes)
      .tagged(tag, unlessKnownTo: request)
  }
}
