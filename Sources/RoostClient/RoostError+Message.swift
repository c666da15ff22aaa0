public import Foundation
import RoostAPI

extension RoostError: LocalizedError, CustomStringConvertible {
  /// A sentence or two for people, fit for an alert. What the server says is in its words.
  public var message: String {
    switch self {
    case .refused(let problem): Self.message(problem)
    case .tooManyRequests(_, let seconds): "Too many tries. Try again in \(Self.span(seconds))."
    case .signedOut: "You are signed out. Log in again."
    case .superseded: "This was interrupted by another log-in or sign-out."
    case .locked: "Unlock the device and try again."
    case .notStored: "The session cannot be kept on this device."
    case .unreachable: "The server cannot be reached. Check the connection and try again."
    case .timedOut: "The server takes too long to answer. Try again."
    case .unexpectedAnswer: "The server cannot be understood. Try again later."
    case .cancelled: "This was cancelled."
    }
  }

  public var errorDescription: String? { message }

  /// For logs: the case, and the server's code and request id. It holds no secret.
  public var description: String {
    switch self {
    case .refused(let problem), .tooManyRequests(let problem, _):
      "\(problem.status) \(problem.code), request \(problem.requestId ?? "unknown")"
    case .signedOut: "signed out"
    case .superseded: "superseded"
    case .locked: "the session store is locked"
    case .notStored(let reason): "the session cannot be stored: \(reason)"
    case .unreachable(let reason): "unreachable: \(reason)"
    case .timedOut: "timed out"
    case .unexpectedAnswer(let status): "unexpected answer with status \(status)"
    case .cancelled: "cancelled"
    }
  }

  private static func message(_ problem: Problem) -> String {
    let lines = (problem.errors ?? []).map(\.message)
    return lines.isEmpty ? problem.detail ?? problem.title : lines.joined(separator: "\n")
  }

  private static func span(_ seconds: Int) -> String {
    switch seconds {
    case ..<2: "a second"
    case ..<90: "\(seconds) seconds"
    case ..<5_400: "\((seconds + 59) / 60) minutes"
    default: "\((seconds + 3_599) / 3_600) hours"
    }
  }
}
