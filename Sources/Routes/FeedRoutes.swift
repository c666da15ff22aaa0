import HTTP
import RoostAPI
import Services
import Store

func feedRoutes(_ app: App) -> [Route] {
  [
    Route(.feed) { call in
      let page = try call.page()
      return .json(try await app.feed.home(page, as: call.client), Endpoint.feed, page, app.publicURL)
    }
  ]
}
