import Foundation
import RoostAPI

extension Roost {
  // MARK: With a session

  /// The decoded answer to a call of the one who is signed in.
  func answer<Answer: Decodable & Sendable>(
    _ call: Call, as type: Answer.Type = Answer.self
  ) async throws(RoostError) -> Answer {
    try await answer(call, token: presence.token())
  }

  /// The same, with a token that was the present one a moment ago.
  func answer<Answer: Decodable & Sendable>(
    _ call: Call, as type: Answer.Type = Answer.self, token: String
  ) async throws(RoostError) -> Answer {
    try await signedIn(token) { () throws(RoostError) in try await self.decoded(call, token: token) }
  }

  /// A call of the one who is signed in that answers nothing.
  func perform(_ call: Call) async throws(RoostError) {
    let token = try presence.token()
    _ = try await signedIn(token) { () throws(RoostError) in try await self.send(call, token: token) }
  }

  /// What a call with this token brings. When the session ends meanwhile it is no longer anybody's: it must not be
  /// shown to the next user.
  func signedIn<Answer: Sendable>(
    _ token: String, _ body: () async throws(RoostError) -> Answer
  ) async throws(RoostError) -> Answer {
    let answer: Answer
    do throws(RoostError) {
      answer = try await body()
    } catch {
      if error == .signedOut { presence.expire(token) }
      throw error
    }
    guard presence.isPresent(token) else { throw .superseded }
    return answer
  }

  // MARK: With a session or without

  /// The decoded answer to a call.
  @concurrent
  func decoded<Answer: Decodable & Sendable>(_ call: Call, token: String? = nil) async throws(RoostError) -> Answer {
    let data = try await send(call, token: token)
    do {
      return try JSONDecoder.roost.decode(Answer.self, from: data)
    } catch {
      throw .unexpectedAnswer(status: call.endpoint.successStatus)
    }
  }

  /// The body of a call's good answer. Tries again where that is harmless.
  @concurrent
  @discardableResult
  func send(_ call: Call, token: String? = nil, _ retries: Retries? = nil) async throws(RoostError) -> Data {
    let retries = retries ?? pace.calls
    let idleSecondsMax = call.contentType == "application/json" ? pace.idleSecondsMax : pace.uploadIdleSecondsMax
    guard let request = call.request(to: url, token: token, idleSecondsMax: idleSecondsMax) else {
      throw .unreachable("no address for \(call.endpoint.name)")
    }
    var number = 0
    while true {
      var retryAfterSeconds: Int?
      do throws(RoostError) {
        let incoming = try await transport.open(
          request, onNewConnection: !call.isRepeatable || call.endpoint.deletesOnce)
        retryAfterSeconds = incoming.retryAfterSeconds
        let body = try await incoming.collected()
        if incoming.status == call.endpoint.successStatus { return body }
        // What a first try has deleted, whose answer was lost, is not there for the second.
        if number > 0, call.endpoint.deletesOnce, incoming.status == 404 { return Data() }
        throw Self.error(incoming, body)
      } catch {
        guard call.isRepeatable, !Task.isCancelled,
          let pause = retries.pause(after: number, error, retryAfterSeconds: retryAfterSeconds)
        else { throw error }
        number += 1
        do { try await Task.sleep(for: pause) } catch { throw .cancelled }
      }
    }
  }

  /// What an answer that is not the good one means.
  static func error(_ incoming: Incoming, _ body: Data) -> RoostError {
    // Not every server on the way is Roost: only a whole problem counts, above all for the end of a session.
    guard let problem = try? JSONDecoder.roost.decode(Problem.self, from: body), problem.status == incoming.status
    else { return .unexpectedAnswer(status: incoming.status) }
    switch problem.knownCode {
    case .signedOut: return .signedOut
    case .tooManyRequests: return .tooManyRequests(problem, retryAfterSeconds: incoming.retryAfterSeconds ?? 1)
    default: return .refused(problem)
    }
  }
}
