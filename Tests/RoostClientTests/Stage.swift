import Foundation
import RoostAPI
import TestSupport
import Testing

@testable import RoostClient

/// A server for a suite's tests, which each make accounts of their own.
enum Stage {
  static let server = Result { try TestServer(TestDatabase.fresh(), settings: ["LIMIT_REGISTER_ADDRESS": "0"]) }

  /// The server, started off Swift's own threads, which are few.
  static func start() async throws -> TestServer {
    try await offPool { try server.get() }
  }

  /// A device with a memory, before anybody has signed in.
  static func device(_ store: some SessionStore = MemoryStore()) async throws -> Roost {
    let address = try await start().address
    return device("http://\(address)", store)
  }

  static func device(_ url: String, _ store: some SessionStore = MemoryStore(), _ pace: Pace = .quick) -> Roost {
    Roost(url: URL(string: url)!, store: store, transport: Wire(), pace: pace)
  }
}

extension Pace {
  /// As patient as tests are.
  static let quick = Pace(
    calls: Retries(triesMax: 3, pauseMilliseconds: 20, pauseMillisecondsMax: 50, retryAfterSecondsMax: 1),
    signingOut: Retries(triesMax: 5, pauseMilliseconds: 20, pauseMillisecondsMax: 50, retryAfterSecondsMax: 1),
    unlocking: Retries(pauseMilliseconds: 10, pauseMillisecondsMax: 20),
    live: Retries(pauseMilliseconds: 20, pauseMillisecondsMax: 50))
}

/// Runs what blocks on a thread of its own.
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    inBackground { continuation.resume(with: Result(catching: body)) }
  }
}

/// Whether something comes true within some seconds.
func eventually(withinSeconds seconds: Int = 60, _ condition: () async throws -> Bool) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return try await condition()
}

/// Somebody whose names nobody else has.
struct Newcomer: Sendable {
  let username: String
  let email: String
  let password: String

  init(_ name: String = "ada") {
    let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36).prefix(12)
    username = "\(name)_\(mark)"
    email = "\(name).\(mark)@example.com"
    password = "correct horse \(mark)"
  }
}

extension Roost {
  /// Registers somebody new, who is signed in then.
  @discardableResult
  func signUp(_ person: Newcomer = Newcomer()) async throws(RoostError) -> Account {
    try await register(email: person.email, username: person.username, password: person.password)
  }
}
