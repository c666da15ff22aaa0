import Foundation
import Observation
import RoostAPI
import RoostClient

// An app like Twitter, as docs/swift-client.md shows it: a test compares the two.

@MainActor @Observable
final class RootModel {
  enum Screen { case launching, onboarding, home }

  private(set) var screen = Screen.launching
  private(set) var user: Account?
  private let roost: Roost

  init(roost: Roost) { self.roost = roost }

  /// Runs for as long as the root view is there: `.task { await model.run() }`.
  func run() async {
    for await user in roost.users {
      self.user = user
      screen = user == nil ? .onboarding : .home
    }
  }

  func signOut() { roost.signOut() }
}

@MainActor @Observable
final class RegistrationModel {
  var email = ""
  var username = ""
  var fullName = ""
  var password = ""
  private(set) var usernameNote: String?
  private(set) var errors: [String: String] = [:]
  private(set) var alert: String?
  private let roost: Roost

  init(roost: Roost) { self.roost = roost }

  /// Runs anew with each change of the name: `.task(id: model.username) { await model.checkUsername() }`.
  func checkUsername() async {
    usernameNote = nil
    guard !username.isEmpty, (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
    guard let answer = try? await roost.usernameAvailability(username), !answer.available else { return }
    usernameNote = answer.reason == .taken ? "\(answer.username) is taken." : "\(username) cannot be a username."
  }

  /// True when the account is made; the photo step follows.
  func register() async -> Bool {
    (errors, alert) = ([:], nil)
    do {
      try await roost.register(email: email, username: username, fullName: fullName, password: password)
      return true
    } catch {
      for field in ["email", "username", "fullName", "password"] { errors[field] = error.message(for: field) }
      if errors.isEmpty { alert = error.message }
      return false
    }
  }

  /// The photo step, which may be skipped.
  func choosePhoto(_ picture: Data) async {
    do { try await roost.uploadAvatar(picture) } catch { alert = error.message }
  }
}

@MainActor @Observable
final class HomeModel {
  private(set) var timeline = Timeline()
  private(set) var alert: String?
  private let feed: Feed
  private let roost: Roost

  init(roost: Roost) {
    self.roost = roost
    feed = roost.feed()
  }

  /// Runs for as long as the feed is on the screen.
  func run() async {
    do {
      for try await update in feed { timeline.apply(update) }
    } catch {
      alert = error.localizedDescription
    }
  }

  /// When the last row appears.
  func loadOlder() async {
    guard let next = timeline.next else { return }
    do { timeline.add(try await feed.older(before: next)) } catch { alert = error.message }
  }

  func write(_ text: String) async {
    do { timeline.add(try await roost.writeTweet(text)) } catch { alert = error.message }
  }
}
