import HTTP
import Secrets

/// A page that a mailed link leads to. To open it changes nothing, since scanners of mail open links too: its script
/// sends the token when somebody presses the button.
struct LinkPage: Sendable {
  let response: Response

  static let reset = LinkPage(PackageResources.reset_html)
  static let verify = LinkPage(PackageResources.verify_html)

  private init(_ document: [UInt8]) {
    let policy =
      "default-src 'none'; script-src 'self'; connect-src 'self'; "
      + "style-src 'sha256-\(StyleSheet.hash(in: document))'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    response = Response(
      status: 200, contentType: "text/html; charset=utf-8",
      headers: [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-cache"),
      ], body: document)
  }
}

/// The one style sheet that stands in a page.
enum StyleSheet {
  /// What the page's content security policy knows it by (CSP 3, §2.3.1), in base 64.
  static func hash(in document: [UInt8]) -> String {
    let page = String(decoding: document, as: UTF8.self)
    guard let start = page.firstRange(of: "<style>"), let end = page.firstRange(of: "</style>") else { return "" }
    return SHA256Digest.of(String(page[start.upperBound..<end.lowerBound])).base64
  }
}
