import HTTP
import RoostAPI
import Services
import Store

func accountRoutes(_ app: App) -> [Route] {
  [
    Route(.register) { call in
      let form = try call.body(Registration.self)
      let signedIn = try await app.accounts.register(
        email: form.email, username: form.username, password: form.password, fullName: form.fullName, from: call.client)
      return .signedIn(signedIn, asCookie: form.cookie == true, app.publicURL)
    },
    Route(.login) { call in
      let form = try call.body(Login.self)
      let signedIn = try await app.accounts.logIn(login: form.login, password: form.password, from: call.client)
      return .signedIn(signedIn, asCookie: form.cookie == true, app.publicURL)
    },
    Route(.signOut) { call in
      try await app.accounts.signOut(call.client)
      let cookie = SessionCookie(app.publicURL)
      let hasCookie = cookie.token(in: call.request) != nil
      return Response(status: 204, headers: hasCookie ? [cookie.removal()] : [])
    },
    Route(.me) { call in
      .json(try await app.accounts.me(call.client), app.publicURL)
    },
    Route(.exportAccount) { call in
      let document = try await app.accounts.export(call.client)
      return Response(
        status: 200, contentType: "application/json",
        headers: [
          ("Content-Disposition", #"attachment; filename="roost-account.json""#), ("Cache-Control", "no-store"),
        ],
        body: Array(document.utf8))
    },
    Route(.usernameAvailability) { call in
      let (username, availability) = try await app.accounts.availability(of: call.segments[0], from: call.client)
      return .json(username, availability)
    },
  ]
}
