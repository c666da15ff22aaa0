public import RoostAPI

/// Why a call of ``Roost`` does not give what it should. There is no other error.
///
/// ``message`` is fit for an alert; switch on ``code``, or on the case.
public enum RoostError: Error, Sendable, Hashable {
  /// The server says no, and why.
  case refused(Problem)
  /// A limit is used up; nothing helps but waiting so many seconds.
  case tooManyRequests(Problem, retryAfterSeconds: Int)
  /// Nobody is signed in, or the session has ended.
  case signedOut
  /// Somebody signed out, or logged in anew, while the answer was under way. Nothing has changed by it.
  case superseded
  /// Nobody knows yet who is signed in: the device was not unlocked since it was started.
  case locked
  /// The session cannot be kept on this device, so it was not begun. The text is for developers.
  case notStored(String)
  /// There is no way to the server, or it broke off. The text is for developers.
  case unreachable(String)
  /// The server took too long.
  case timedOut
  /// Something that is no Roost server, or a broken one, has answered with this HTTP status.
  case unexpectedAnswer(status: Int)
  /// The task was cancelled.
  case cancelled
}

extension RoostError {
  /// What the server says, when it was the server.
  public var problem: Problem? {
    switch self {
    case .refused(let problem), .tooManyRequests(let problem, _): problem
    default: nil
    }
  }

  /// The server's code; nil when it was not the server, and for a code that this version does not know.
  public var code: ProblemCode? {
    if case .signedOut = self { return .signedOut }
    return problem?.knownCode
  }

  /// What is wrong with one field of a form, to be shown beside it: `username`, `email`, `password`, `fullName` and so
  /// on.
  public func message(for field: String) -> String? {
    problem?.errors?.first { $0.field == field }?.message
  }

  /// What is wrong with one field, by its stable name.
  public func code(for field: String) -> FieldErrorCode? {
    problem?.errors?.first { $0.field == field }?.knownCode
  }

  /// Whether it was the way to the server and not what was asked, so that the same may succeed later.
  public var isPassing: Bool {
    switch self {
    case .unreachable, .timedOut, .locked, .tooManyRequests: true
    case .unexpectedAnswer(let status): Retries.passingStatuses.contains(status)
    case .refused(let problem): Retries.passingStatuses.contains(problem.status)
    case .signedOut, .superseded, .notStored, .cancelled: false
    }
  }
}
