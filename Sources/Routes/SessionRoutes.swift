import HTTP
import RoostAPI
import Services

func sessionRoutes(_ app: App) -> [Route] {
  [
    Route(.sessions) { call in
      .json(try await app.sessions.list(call.client))
    },
    Route(.endSession) { call in
      try await app.sessions.end(call.id(), as: call.client)
      return Response(status: 204)
    },
    Route(.endOtherSessions) { call in
      try await app.sessions.endOthers(as: call.client)
      return Response(status: 204)
    },
  ]
}
