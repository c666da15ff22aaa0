import HTTP
import RoostAPI
import Services

func operationRoutes(_ app: App) -> [Route] {
  [
    Route(.health) { _ in .ok },
    Route(.ready) { _ in
      guard await app.readiness.isReady() else { throw Refused.notReady }
      return .ok
    },
    Route(.openAPI) { _ in
      Response(status: 200, contentType: "application/json", body: OpenAPI.document)
    },
    Route(.home) { _ in
      Response(
        status: 200, contentType: "text/html; charset=utf-8",
        headers: [
          ("Content-Security-Policy", HomePage.contentSecurityPolicy), ("X-Content-Type-Options", "nosniff"),
          ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-cache"),
        ], body: HomePage.document)
    },
  ]
}

/// The contract, as `/openapi.json` serves it.
enum OpenAPI {
  static let document = PackageResources.openapi_json
}

/// The page at `/`.
enum HomePage {
  static let document = PackageResources.index_html

  /// The page loads nothing and runs nothing. Its one style sheet stands in it, and is known by its hash (CSP 3, §2.3.1).
  static let contentSecurityPolicy =
    "default-src 'none'; style-src 'sha256-\(StyleSheet.hash(in: document))'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"
}
