import Foundation
import RoostAPI
import Synchronization
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is repeated, and what never is.
@Suite(.timeLimit(.minutes(5))) struct RetryTests {
  /// A device whose server fails as often as it is told to, then answers.
  private static func roost(
    failing times: Int, with failure: Result<FakeTransport.Answer, RoostError>, then answer: FakeTransport.Answer
  ) async throws -> (roost: Roost, transport: FakeTransport) {
    let count = Mutex(0)
    let isReady = Mutex(false)
    let (roost, transport) = Roost.faked { request throws(RoostError) in
      if request.url?.path == "/v1/login", !isReady.withLock({ $0 }) { return .signedIn("ada", token: "t1") }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number > times ? answer : try failure.get()
    }
    try await roost.login("ada", password: "correct horse")
    isReady.withLock { $0 = true }
    return (roost, transport)
  }

  private static let tweet = FakeTransport.Answer(
    status: 201,
    body: """
      {"id": "01890000-0000-7000-8000-000000000003", "text": "Hello.", "createdAt": "2026-11-30T09:15:00.123Z", \
      "author": {"id": "01890000-0000-7000-8000-000000000001", "username": "ada", "fullName": null, \
      "profileImageURL": null}, "likes": 0, "likedByMe": false}
      """)

  static let failures: [Result<FakeTransport.Answer, RoostError>] = [
    .failure(.unreachable("reset")), .failure(.timedOut), .success(.problem(503, "overloaded", retryAfter: "0")),
    .success(.problem(429, "too_many_requests", retryAfter: "0")), .success(.init(status: 502, body: "<html>")),
  ]

  @Test(arguments: failures)
  func `a read is tried again`(failure: Result<FakeTransport.Answer, RoostError>) async throws {
    let (roost, transport) = try await Self.roost(failing: 2, with: failure, then: .me("ada"))
    #expect(try await roost.me().username == "ada")
    #expect(transport.calls.count == 4)
  }

  @Test func `but only so often`() async throws {
    let (roost, transport) = try await Self.roost(failing: 9, with: .failure(.timedOut), then: .me("ada"))
    await #expect(throws: RoostError.timedOut) { try await roost.me() }
    #expect(transport.calls.count == 1 + Pace.quick.calls.triesMax)
  }

  @Test func `a tweet is tried again with the same key`() async throws {
    let (roost, transport) = try await Self.roost(failing: 1, with: .failure(.unreachable("reset")), then: Self.tweet)
    #expect(try await roost.writeTweet("Hello.").text == "Hello.")
    let keys = transport.requests.dropFirst().map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
    #expect(keys.count == 2 && keys[0] == keys[1] && keys[0]?.count == 36)
  }

  @Test(arguments: failures)
  func `registering and logging in are never tried again`(
    failure: Result<FakeTransport.Answer, RoostError>
  ) async throws {
    let (roost, transport) = try await Self.roost(
      failing: 1, with: failure, then: .signedIn("ada", token: "t2"))
    await #expect(throws: RoostError.self) { try await roost.login("ada", password: "correct horse") }
    await #expect(throws: Never.self) { try await roost.login("ada", password: "correct horse") }
    #expect(transport.calls.count { $0 == "POST /v1/login" } == 3)
    let (other, otherTransport) = try await Self.roost(failing: 1, with: failure, then: .signedIn("ada", token: "t2"))
    await #expect(throws: RoostError.self) {
      try await other.register(email: "a@example.com", username: "ada", password: "correct horse")
    }
    #expect(otherTransport.calls.count { $0 == "POST /v1/register" } == 1)
  }

  @Test func `neither is what checks a password, mails, or changes what it finds`() async throws {
    let uses: [@Sendable (Roost) async throws -> Void] = [
      { try await $0.changePassword(from: "a", to: "b") }, { try await $0.deleteAccount(password: "a") },
      { try await $0.changeEmail(to: "a@example.com", password: "a") }, { try await $0.update(bio: .becomes("b")) },
      { try await $0.requestPasswordReset(email: "a@example.com") }, { try await $0.requestEmailVerification() },
      { try await $0.resetPassword(token: "t", newPassword: "b") }, { try await $0.confirmEmail(token: "t") },
      { try await $0.remindUsername(email: "a@example.com") },
    ]
    for use in uses {
      let (roost, transport) = try await Self.roost(failing: 9, with: .failure(.timedOut), then: .done)
      await #expect(throws: RoostError.timedOut) { try await use(roost) }
      #expect(transport.calls.count == 2, "\(transport.calls)")
    }
  }

  @Test func `what the first try has deleted is gone for the second, and that is well`() async throws {
    let gone = FakeTransport.Answer.problem(404, "not_found")
    let (roost, transport) = try await Self.roost(failing: 1, with: .failure(.unreachable("reset")), then: gone)
    try await roost.deleteTweet("01890000-0000-7000-8000-000000000003")
    #expect(transport.calls.count == 3)
    let (other, _) = try await Self.roost(failing: 0, with: .failure(.timedOut), then: gone)
    let error = await #expect(throws: RoostError.self) { try await other.deleteTweet("x") }
    #expect(error?.code == .notFound)
  }

  @Test func `a server that asks for patience gets it within bounds, and else the caller learns how much`() async throws
  {
    let soon = FakeTransport.Answer.problem(503, "overloaded", retryAfter: "1")
    let (roost, _) = try await Self.roost(failing: 1, with: .success(soon), then: .me("ada"))
    let time = try await ContinuousClock().measure { try await roost.me() }
    #expect(time >= .seconds(1))

    let later = FakeTransport.Answer.problem(429, "too_many_requests", retryAfter: "300")
    let (other, transport) = try await Self.roost(failing: 1, with: .success(later), then: .me("ada"))
    let error = await #expect(throws: RoostError.self) { try await other.me() }
    guard case .tooManyRequests(_, retryAfterSeconds: 300) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(transport.calls.count == 2)
    #expect(error?.message == "Too many tries. Try again in 5 minutes." && error?.code == .tooManyRequests)
  }

  @Test func `what is the caller's mistake is not tried again`() async throws {
    for answer in [FakeTransport.Answer.problem(404, "not_found"), .problem(500, "internal_error"), .init(status: 302)]
    {
      let (roost, transport) = try await Self.roost(failing: 9, with: .success(answer), then: .me("ada"))
      await #expect(throws: RoostError.self) { try await roost.tweet("x") }
      #expect(transport.calls.count == 2)
    }
  }

  @Test func `a cancelled call is not tried again`() async throws {
    let gate = Gate()
    let (roost, transport) = Roost.faked { request throws(RoostError) in
      await gate.pass()
      throw .unreachable("reset")
    }
    let call = Task { try await roost.health() }
    #expect(await eventually { gate.waitingCount == 1 })
    call.cancel()
    gate.open()
    await #expect(throws: RoostError.self) { try await call.value }
    #expect(transport.calls.count == 1)
  }

  @Test func `only Roost's own word ends a session`() async throws {
    for answer in [FakeTransport.Answer(status: 401, body: "<html>"), .problem(403, "signed_out"), .init(status: 200)] {
      let wrong = FakeTransport.Answer(status: 401, headers: answer.headers, body: answer.body)
      let (roost, _) = try await Self.roost(failing: 9, with: .success(wrong), then: .me("ada"))
      await #expect(throws: RoostError.unexpectedAnswer(status: 401)) { try await roost.me() }
      #expect(roost.user != nil)
    }
  }
}
