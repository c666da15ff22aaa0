import HTTP
import RoostAPI
import Services
import Store

/// What is done by mail: passwords that were forgotten, addresses that are verified or changed, usernames.
func mailRoutes(_ app: App) -> [Route] {
  [
    Route(.requestPasswordReset) { call in
      let form = try call.body(LetterRequest.self)
      try await app.passwords.requestReset(email: form.email, from: call.client)
      return Response(status: 202)
    },
    Route(.resetPassword) { call in
      let form = try call.body(PasswordReset.self)
      try await app.passwords.reset(token: form.token, newPassword: form.newPassword, from: call.client)
      return Response(status: 204)
    },
    Route(.requestEmailVerification) { call in
      try await app.emails.requestVerification(call.client)
      return Response(status: 202)
    },
    Route(.confirmEmail) { call in
      let form = try call.body(EmailConfirmation.self)
      return .json(try await app.emails.confirm(token: form.token, from: call.client), app.publicURL)
    },
    Route(.changeEmail) { call in
      let form = try call.body(EmailChange.self)
      try await app.emails.requestChange(to: form.email, password: form.password, from: call.client)
      return Response(status: 202)
    },
    Route(.remindUsername) { call in
      let form = try call.body(LetterRequest.self)
      try await app.emails.remindUsername(email: form.email, from: call.client)
      return Response(status: 202)
    },
  ]
}
