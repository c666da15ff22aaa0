import HTTP
import RoostAPI
import Services

func ownershipRoutes(_ app: App) -> [Route] {
  [
    Route(.changePassword) { call in
      let form = try call.body(PasswordChange.self)
      try await app.ownership.changePassword(current: form.currentPassword, new: form.newPassword, as: call.client)
      return Response(status: 204)
    },
    Route(.deleteAccount) { call in
      let form = try call.body(AccountDeletion.self)
      try await app.ownership.deleteAccount(password: form.password, as: call.client)
      let cookie = SessionCookie(app.publicURL)
      let hasCookie = cookie.token(in: call.request) != nil
      return Response(status: 204, headers: hasCookie ? [cookie.removal()] : [])
    },
  ]
}
