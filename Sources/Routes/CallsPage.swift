import Secrets

/// The page at `/api`: the first calls to try, and a table of all.
enum CallsPage {
  /// The page loads nothing and runs nothing. Its one style sheet stands in it, and is known by its hash (CSP 3, §2.3.1).
  static let policy =
    "default-src 'none'; style-src 'sha256-\(styleHash(PackageResources.calls_html))'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  /// In base 64.
  private static func styleHash(_ document: [UInt8]) -> String {
    let page = String(decoding: document, as: UTF8.self)
    guard let start = page.firstRange(of: "<style>"), let end = page.firstRange(of: "</style>") else { return "" }
    return SHA256Digest.of(String(page[start.upperBound..<end.lowerBound])).base64
  }
}
