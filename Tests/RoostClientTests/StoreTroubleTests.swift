import Foundation
import RoostAPI
import Synchronization
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A store that fails when it is told to.
private final class FrailStore: SessionStore {
  struct State: Sendable {
    var session: StoredSession?
    var loading: SessionStoreError?
    var saving: SessionStoreError?
    var clearing: SessionStoreError?
  }
  let state: Mutex<State>

  init(_ state: State = State()) { self.state = Mutex(state) }

  func set(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
  }

  func load() throws(SessionStoreError) -> StoredSession? {
    let state = state.withLock { $0 }
    if let error = state.loading { throw error }
    return state.session
  }

  func save(_ session: StoredSession) throws(SessionStoreError) {
    if let error = state.withLock({ $0.saving }) { throw error }
    state.withLock { $0.session = session }
  }

  func clear() throws(SessionStoreError) {
    if let error = state.withLock({ $0.clearing }) { throw error }
    state.withLock { $0.session = nil }
  }

  static func session(_ token: String = "t1") throws -> StoredSession {
    StoredSession(
      server: "https://roost.example", token: token, sessionID: "s1",
      user: try JSONDecoder.roost.decode(Account.self, from: Data(FakeTransport.Answer.account("ada").utf8)))
  }
}

@Suite struct StoreTroubleTests {
  @Test func `locked is not absent: nobody is signed out, and the session is there once it can be read`() async throws {
    let store = FrailStore(.init(session: try FrailStore.session(), loading: .locked))
    let (roost, transport) = Roost.faked(store) { _ throws(RoostError) in .me("ada") }
    let first = Task { await roost.users.first { _ in true } }
    #expect(roost.user == nil)
    await #expect(throws: RoostError.locked) { try await roost.me() }
    await #expect(throws: RoostError.locked) { try await roost.login("ada", password: "correct horse") }
    #expect(transport.requests.isEmpty && store.state.withLock { $0.session } != nil)

    store.set { $0.loading = nil }
    let user = try #require(await first.value)
    #expect(user?.username == "ada", "the first that is heard is who is signed in, not that nobody is")
    #expect(roost.user?.username == "ada")
  }

  @Test func `a sign-out while the store is locked is one, and stays one`() async throws {
    let store = FrailStore(.init(session: try FrailStore.session(), loading: .locked, clearing: .locked))
    let (roost, _) = Roost.faked(store) { _ throws(RoostError) in .done }
    let serverEnd = roost.signOut()
    #expect(await roost.users.first { _ in true } == .some(nil))
    store.set {
      $0.loading = nil
      $0.clearing = nil
    }
    _ = await serverEnd.value
    #expect(roost.user == nil && store.state.withLock { $0.session } == nil)
  }

  @Test func `a session that cannot be kept is not begun, and its end is told to the server`() async throws {
    let store = FrailStore(.init(saving: .failed("no space")))
    let (roost, transport) = Roost.faked(store) { request throws(RoostError) in
      request.url?.path == "/v1/login" ? .signedIn("ada", token: "t1") : .done
    }
    await #expect(throws: RoostError.notStored("no space")) { try await roost.login("ada", password: "correct horse") }
    #expect(roost.user == nil)
    #expect(await eventually { transport.calls.last == "POST /v1/signout" })
  }

  @Test func `signing out succeeds when neither the store nor the server helps`() async throws {
    let store = FrailStore(.init(session: try FrailStore.session()))
    let (roost, transport) = Roost.faked(store) { _ throws(RoostError) in throw .unreachable("offline") }
    store.set { $0.clearing = .failed("read-only") }
    let serverEnd = roost.signOut()
    #expect(roost.user == nil)
    await #expect(throws: RoostError.signedOut) { try await roost.me() }
    #expect(await serverEnd.value == false)
    let tries = transport.calls.count { $0 == "POST /v1/signout" }
    #expect(tries == Pace.quick.signingOut.triesMax, "a bounded number")
  }

  @Test func `a store that fails to forget is told again`() async throws {
    let store = FrailStore(.init(session: try FrailStore.session(), clearing: .failed("busy")))
    let gate = Gate()
    let (roost, _) = Roost.faked(store) { request throws(RoostError) in
      if request.url?.path == "/v1/signout" { await gate.pass() }
      return .done
    }
    let serverEnd = roost.signOut()
    #expect(store.state.withLock { $0.session } != nil)
    store.set { $0.clearing = nil }
    gate.open()
    #expect(await serverEnd.value)
    #expect(store.state.withLock { $0.session } == nil)
  }

  @Test func `a session that another process has put there is taken on when one's own is over`() async throws {
    let store = FrailStore(.init(session: try FrailStore.session("t1")))
    let (roost, _) = Roost.faked(store) { request throws(RoostError) in
      request.value(forHTTPHeaderField: "Authorization") == "Bearer t2" ? .me("ada") : .problem(401, "signed_out")
    }
    let newer = try FrailStore.session("t2")
    store.set { $0.session = newer }
    await #expect(throws: RoostError.signedOut) { try await roost.me() }
    #expect(roost.user?.username == "ada")
    try await roost.me()
  }

  @Test func `a session of another server is not sent to this one`() async throws {
    let (roost, transport) = Roost.faked(
      MemoryStore(
        StoredSession(
          server: "https://other.example", token: "t1", sessionID: "s1", user: try FrailStore.session().user))
    ) { _ throws(RoostError) in .me("ada") }
    #expect(roost.user == nil)
    await #expect(throws: RoostError.signedOut) { try await roost.me() }
    #expect(transport.requests.isEmpty)
  }
}
