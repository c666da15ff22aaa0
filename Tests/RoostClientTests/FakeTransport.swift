import Foundation
import Synchronization

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers in the place of a server, when a test says so.
final class FakeTransport: Transport {
  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body = ""
  }

  typealias Handler = @Sendable (URLRequest) async throws(RoostError) -> Answer

  private let handler: Handler
  private let seen = Mutex<[URLRequest]>([])

  init(_ handler: @escaping Handler) { self.handler = handler }

  var requests: [URLRequest] { seen.withLock { $0 } }

  /// `GET /v1/me` and so on, in order.
  var calls: [String] { requests.map { "\($0.httpMethod ?? "") \($0.url?.path ?? "")" } }

  func open(_ request: URLRequest, onNewConnection: Bool) async throws(RoostError) -> Incoming {
    seen.withLock { $0.append(request) }
    let answer = try await handler(request)
    let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    continuation.yield(Data(answer.body.utf8))
    continuation.finish()
    return Incoming(status: answer.status, headers: answer.headers, body: stream)
  }
}

extension FakeTransport.Answer {
  static func account(_ username: String, bio: String = "") -> String {
    """
    {"id": "01890000-0000-7000-8000-000000000001", "username": "\(username)", "email": "\(username)@example.com", \
    "emailVerified": false, "fullName": null, "bio": "\(bio)", "profileImageURL": null, \
    "createdAt": "2026-11-30T09:15:00.123Z", "followers": 0, "following": 0, "tweets": 0}
    """
  }

  static func me(_ username: String, bio: String = "") -> Self { Self(body: account(username, bio: bio)) }

  static func signedIn(_ username: String, token: String) -> Self {
    Self(
      status: 201,
      body: """
        {"user": \(account(username)), "session": {"token": "\(token)", \
        "id": "01890000-0000-7000-8000-000000000002", "createdAt": "2026-11-30T09:15:00.123Z", \
        "expiresAt": "2026-12-30T09:15:00.123Z"}}
        """)
  }

  static func problem(_ status: Int, _ code: String, retryAfter: String? = nil) -> Self {
    Self(
      status: status, headers: retryAfter.map { ["retry-after": $0] } ?? [:],
      body: """
        {"type": "about:blank", "title": "T", "status": \(status), "code": "\(code)", "detail": "What to do.", \
        "requestId": "r1"}
        """)
  }

  static let done = Self(status: 204)
}

extension Roost {
  static func faked(
    _ store: some SessionStore = MemoryStore(), pace: Pace = .quick, _ handler: @escaping FakeTransport.Handler
  ) -> (roost: Roost, transport: FakeTransport) {
    let transport = FakeTransport(handler)
    let roost = Roost(
      url: URL(string: "https://roost.example")!, store: store, transport: transport, pace: pace)
    return (roost, transport)
  }
}

/// Holds tasks up until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  var waitingCount: Int { state.withLock { $0.waiting.count } }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
