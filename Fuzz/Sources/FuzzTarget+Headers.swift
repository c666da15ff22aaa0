import RoostAPI
import Services
import Store

@testable import HTTP
@testable import Routes
@testable import Secrets
@testable import Values

/// The target line and the header fields of requests.
extension FuzzTarget {
  static let headers = [cookie, bearer, etag, query, percent, forwarded, proxies, language, framing, live]

  private static let url = PublicURL("https://roost.example")

  private static func request(_ header: Header, _ text: String) -> Request {
    Request(method: .get, target: "/", peer: "192.0.2.1", headers: [(header, text)])
  }

  private static let cookie = ofText("cookie") { text in
    for url in [url, PublicURL("http://127.0.0.1:8080")] {
      guard let token = SessionCookie(url).token(in: request(.cookie, text)) else { continue }
      holds(text.contains(token), "the value is part of the field")
    }
  }

  /// A token has one text.
  private static let bearer = ofText("token") { text in
    if let token = SessionToken(presented: text) { holds(token.text == text, "one token has one text") }
    if let token = LinkToken(presented: text) { holds(token.text == text, "one link has one text") }
  }

  private static let etag = ofText("etag") { text in
    let tag = EntityTag(SHA256Digest.of([1, 2, 3] as [UInt8]))
    let isNamed = tag.isNamed(by: request(.ifNoneMatch, text))
    holds(!isNamed || text.contains(tag.text) || text.trimmingSpaces == "*", "it names only what it holds")
    holds(tag.isNamed(by: request(.ifNoneMatch, "\"a\", W/\(tag.text)")), "and what it holds")
  }

  private static let query = ofText("query") { text in
    let client = Client(address: .unknown, userAgent: nil, token: nil, language: .english)
    let request = Request(method: .get, target: "/v1/feed?\(text)", peer: "192.0.2.1")
    let call = Call(request: request, client: client, segments: [text])
    if let page = try? call.page(of: TweetRow.self) {
      holds(PageLimit.range.contains(page.limit), "a page has a bound")
    }
    if let id = try? call.id(TweetTag.self) { holds(id.description == text.lowercased(), "one id has one text") }
  }

  private static let percent = ofText("percent") { text in
    for plusIsSpace in [true, false] {
      guard let decoded = PercentDecoding.decode(text, plusIsSpace: plusIsSpace) else { continue }
      holds(decoded.utf8.count <= text.utf8.count && !decoded.utf8.contains(0), "it grows by nothing")
    }
  }

  private static let forwarded = ofText("forwarded") { text in
    guard let proxies = try? TrustedProxies("10.0.0.0/8, 192.0.2.1, ::1, 2001:db8::/32") else { return }
    let fields = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let client = proxies.client(peer: ClientAddress("10.0.0.1")!, forwardedFor: fields)
    holds(ClientAddress(client.description) == client, "an address has one text")
    let stranger = ClientAddress("198.51.100.7")!
    holds(proxies.client(peer: stranger, forwardedFor: fields) == stranger, "a stranger's word counts for nothing")
  }

  private static let proxies = ofText("proxies") { text in
    guard let proxies = try? TrustedProxies(text) else { return }
    let again = try? TrustedProxies(proxies.ranges.map(\.description).joined(separator: ","))
    holds(again == proxies, "a list of ranges reads as it is written")
  }

  private static let language = ofText("language") { _ = Language(acceptLanguage: $0) }

  /// Lines of `name: value`, the first of them the target.
  private static let framing = ofText("framing") { text in
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let fields: [(Header, String)] = lines.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      var name = String(parts.first ?? "")
      guard let header = name.withUTF8({ Header(name: $0) }), parts.count == 2 else { return nil }
      return (header, parts[1].trimmingSpaces)
    }
    let request = Request(method: .post, target: String(lines.first ?? "/"), peer: "192.0.2.1", headers: fields)
    guard request.refusal(headBytes: text.utf8.count, ServerLimits(), bodyBytesMax: 1_024) == nil else { return }
    holds(request.path.utf8.first == UInt8(ascii: "/"), "a target is a path")
    let lengths = fields.count { $0.0 == .contentLength }
    let encodings = fields.count { $0.0 == .transferEncoding }
    holds(lengths + encodings <= 1, "one word about the length of the body")
    if lengths == 1 { holds((0...1_024).contains(request.bodyBytesDeclared ?? -1), "a length within the limit") }
  }

  private static let live = ofText("live") { text in
    guard case .after(let id) = LiveStart(lastEventID: text) else { return }
    holds(id.description == text.lowercased(), "one id has one text")
  }
}
