import HTTP
import RoostAPI
import Services
import Store
import Values

func tweetRoutes(_ app: App) -> [Route] {
  [
    Route(.writeTweet) { call in
      let form = try call.body(NewTweet.self)
      let tweet = try await app.tweets.write(text: form.text, key: call.request[.idempotencyKey], as: call.client)
      return .json(tweet, app.publicURL, status: 201, headers: [("Location", "/v1/tweets/\(tweet.id)")])
    },
    Route(.tweet) { call in
      let tweet = try await app.tweets.read(call.id(), as: call.client)
      return .json(tweet, app.publicURL).unlessKnown(to: call.request)
    },
    Route(.deleteTweet) { call in
      try await app.tweets.delete(call.id(), as: call.client)
      return Response(status: 204)
    },
    Route(.likeTweet) { call in
      try await app.likes.like(call.id(), as: call.client)
      return Response(status: 204)
    },
    Route(.unlikeTweet) { call in
      try await app.likes.unlike(call.id(), as: call.client)
      return Response(status: 204)
    },
  ]
}
