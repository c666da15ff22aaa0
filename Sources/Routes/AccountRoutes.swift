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
      guard call.request.method != .head else {
        _ = try await app.accounts.me(call.client)
        return .file { _ in }
      }
      let document = try await app.exports.begin(as: call.client)
      return .file { body in
        try await document.write { try await body.write(Array($0.utf8)) }
      }
    },
    Route(.usernameAvailability) { call in
      let (username, availability) = try await app.accounts.availability(of: call.segments[0], from: call.client)
      return .json(username, availability)
    },
  ]
}

extension Response {
  /// An export, to be kept as a file.
  fileprivate static func file(_ writer: @escaping Response.Writer) -> Response {
    Response(
      status: 200, contentType: "application/json",
      headers: [
        ("Content-Disposition", #"attachment; filename="roost-account.json""#), ("Cache-Control", "no-store"),
      ], writer: writer)
  }
}
