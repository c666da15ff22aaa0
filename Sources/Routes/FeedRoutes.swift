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
    Route(.liveFeed) { call in
      guard call.request.method != .head else {
        _ = try await app.accounts.me(call.client)
        return .events { _ in }
      }
      let start = LiveStart(lastEventID: call.request[.lastEventID])
      let stream = try await app.live.open(from: start, as: call.client)
      return .events { body in
        do {
          try await body.write(ServerSentEvents.opening)
          while let event = await app.live.next(stream) {
            try await body.write(ServerSentEvents.bytes(of: event, app.publicURL))
          }
        } catch {
          await app.live.close(stream)
          throw error
        }
        await app.live.close(stream)
      }
    },
    Route(.explore) { call in
      let page = try call.page(of: TweetRow.self)
      return .json(try await app.feed.explore(page, as: call.client), page, call, app.publicURL)
    },
  ]
}
