import HTTP
import RoostAPI
import Services
import Store

func feedRoutes(_ app: App) -> [Route] {
  [
    Route(.feed) { call in
      let page = try call.page(of: TweetRow.self)
      return .json(try await app.feed.home(page, as: call.client), page, call, app.publicURL)
    },
    Route(.explore) { call in
      let page = try call.page(of: TweetRow.self)
      return .json(try await app.feed.explore(page, as: call.client), page, call, app.publicURL)
    },
  ]
}
