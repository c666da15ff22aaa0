import Foundation
import Observation
import RoostAPI
import RoostClient

// A blog, as docs/swift-client.md shows it: a test compares the two.

@MainActor @Observable
final class BlogModel {
  enum Screen { case launching, welcome, photo, posts }

  private(set) var user: Account?
  private(set) var alert: String?
  private var isKnown = false
  private var isJoining = false
  private let roost: Roost

  init(roost: Roost) { self.roost = roost }

  /// The posts show only once the newcomer has a photo, or has skipped that.
  var screen: Screen {
    guard isKnown else { return .launching }
    guard user != nil else { return .welcome }
    return isJoining ? .photo : .posts
  }

  func run() async {
    for await user in roost.users { (self.user, isKnown) = (user, true) }
  }

  func join(email: String, username: String, password: String) async {
    isJoining = true
    do {
      try await roost.register(email: email, username: username, password: password)
    } catch {
      isJoining = false
      alert = error.message
    }
  }

  func finish(photo: Data?) async {
    do {
      if let photo { try await roost.uploadAvatar(photo) }
      isJoining = false
    } catch {
      alert = error.message
    }
  }
}
