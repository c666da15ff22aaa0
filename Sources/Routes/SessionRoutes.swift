import HTTP
import RoostAPI
import Services

func sessionRoutes(_ app: App) -> [Route] {
  [
    Route(.sessions) { call in
      .json(try await app.sessions.list(call.client))
    }
  ]
}
