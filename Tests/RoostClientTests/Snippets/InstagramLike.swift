import Observation
import RoostClient

// An app like Instagram, as docs/swift-client.md shows it: a test compares the two.

@MainActor @Observable
final class LoginModel {
  var usernameOrEmail = ""
  var password = ""
  private(set) var alert: String?
  private let roost: Roost

  init(roost: Roost) { self.roost = roost }

  func logIn() async {
    alert = nil
    do {
      try await roost.login(usernameOrEmail, password: password)
      // Nothing else: `roost.users` has told the root model.
    } catch {
      alert = error.message
    }
  }

  func forgotPassword() async {
    do {
      try await roost.requestPasswordReset(email: usernameOrEmail)
      alert = "If there is an account with this address, a letter is on its way."
    } catch {
      alert = error.message
    }
  }
}
