import HTTP
import RoostAPI
import Services

func profileRoutes(_ app: App) -> [Route] {
  [
    Route(.changeProfile) { call in
      let form = try call.body(ProfileChange.self)
      let account = try await app.profile.change(
        username: Edit(form.username), fullName: Edit(form.fullName), bio: Edit(form.bio), as: call.client)
      return .json(account, app.publicURL)
    }
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
