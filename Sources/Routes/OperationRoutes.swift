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
  ]
}

/// The contract, as `/openapi.json` serves it.
enum OpenAPI {
  static let document = PackageResources.openapi_json
}
