import HTTP
import RoostAPI
import Services
import Store

func profileRoutes(_ app: App) -> [Route] {
  [
    Route(.changeProfile) { call in
      let form = try call.body(ProfileChange.self)
      let account = try await app.profiles.change(
        username: Edit(form.username), fullName: Edit(form.fullName), bio: Edit(form.bio), as: call.client)
      return .json(account, app.publicURL)
    },
    Route(.profile) { call in
      let profile = try await app.profiles.read(call.segments[0], as: call.client)
      return .json(profile, app.publicURL).unlessKnown(to: call.request)
    },
    Route(.profileTweets) { call in
      let page = try call.page(of: TweetRow.self)
      let list = try await app.profiles.tweets(of: call.segments[0], page, as: call.client)
      return .json(list, page, call, app.publicURL)
    },
    Route(.followers) { call in
      let page = try call.page(of: FollowRow.self)
      let list = try await app.profiles.followers(of: call.segments[0], page, as: call.client)
      return .json(list, page, call, app.publicURL)
    },
    Route(.following) { call in
      let page = try call.page(of: FollowRow.self)
      let list = try await app.profiles.following(of: call.segments[0], page, as: call.client)
      return .json(list, page, call, app.publicURL)
    },
    Route(.follow) { call in
      try await app.follows.follow(call.segments[0], as: call.client)
      return Response(status: 204)
    },
    Route(.unfollow) { call in
      try await app.follows.unfollow(call.segments[0], as: call.client)
      return Response(status: 204)
    },
  ]
}

extension Edit {
  init(_ field: ProfileChange.Field) {
    self =
      switch field {
      case .stays: .stays
      case .becomes(let text): .becomes(text)
      }
  }
}
