import RoostAPI

/// When a call is made again by itself: only where a repeat does what the first try did, and only a few times.
struct Retries: Sendable {
  /// Tries in all, the first included.
  var triesMax = 3
  var pauseMilliseconds = 400
  var pauseMillisecondsMax = 5_000
  /// A server that asks for more patience than this is not waited for; the caller learns how long it would be.
  var retryAfterSecondsMax = 5

  /// Statuses that speak of the moment and not of the request.
  static let passingStatuses: Set<Int> = [408, 429, 502, 503, 504]

  /// How long to wait after the try of this number, from 0; nil when it was the last, or waiting does not help.
  func pause(after number: Int, _ error: RoostError, retryAfterSeconds: Int?) -> Duration? {
    guard number + 1 < triesMax, error.isPassing else { return nil }
    if let seconds = retryAfterSeconds {
      guard (0...retryAfterSecondsMax).contains(seconds) else { return nil }
      return .seconds(seconds) + Self.jittered(milliseconds: pauseMilliseconds) / 4
    }
    return backOff(number)
  }

  /// Twice as long each time, up to a bound.
  func backOff(_ number: Int) -> Duration {
    Self.jittered(milliseconds: min(pauseMilliseconds << min(number, 16), pauseMillisecondsMax))
  }

  /// Between half and all of it, so that the clients of a server that comes back do not come all at once.
  static func jittered(milliseconds: Int) -> Duration {
    .milliseconds(Int.random(in: milliseconds / 2...max(milliseconds, 1)))
  }
}

extension Endpoint {
  /// Whether a second try is harmless when nobody knows what became of the first (RFC 9110 §9.2.2). Not so the PUT and
  /// DELETE calls that check a password or mail a letter: the second would be refused, or mail again.
  var isRepeatable: Bool {
    switch method {
    case .get: true
    case .put, .delete: ![.changePassword, .changeEmail, .deleteAccount].contains(self)
    case .post: self == .signOut
    case .patch: false
    }
  }

  /// Whether the second try of a call would be answered that there is nothing (any more).
  var deletesOnce: Bool { [.deleteTweet, .endSession].contains(self) }
}
