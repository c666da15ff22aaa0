import Foundation
import RoostAPI
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What comes late does not count.
@Suite struct RaceTests {
  @Test func `a log-in whose answer comes after a sign-out signs nobody in, and its session is ended`() async throws {
    let gate = Gate()
    let store = MemoryStore()
    let (roost, transport) = Roost.faked(store) { request throws(RoostError) in
      if request.url?.path == "/v1/login" {
        await gate.pass()
        return .signedIn("ada", token: "late")
      }
      return .done
    }
    let login = Task { try await roost.login("ada", password: "correct horse") }
    #expect(await eventually { gate.waitingCount == 1 })
    _ = await roost.signOut().value
    gate.open()
    await #expect(throws: RoostError.superseded) { try await login.value }
    #expect(roost.user == nil && store.load() == nil)
    #expect(await eventually { transport.calls == ["POST /v1/login", "POST /v1/signout"] })
    #expect(transport.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer late")
  }

  @Test func `of two log-ins the one that was begun last counts, in whatever order they are answered`() async throws {
    let gate = Gate()
    let (roost, transport) = Roost.faked { request throws(RoostError) in
      guard request.url?.path == "/v1/login" else { return .done }
      if String(decoding: request.httpBody ?? Data(), as: UTF8.self).contains("slow") {
        await gate.pass()
        return .signedIn("slow", token: "slow")
      }
      return .signedIn("quick", token: "quick")
    }
    let slow = Task { try await roost.login("slow", password: "correct horse") }
    #expect(await eventually { gate.waitingCount == 1 })
    try await roost.login("quick", password: "correct horse")
    gate.open()
    await #expect(throws: RoostError.superseded) { try await slow.value }
    #expect(roost.user?.username == "quick")
    #expect(await eventually { transport.calls.contains("POST /v1/signout") })
    #expect(transport.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer slow")
  }

  @Test func `an account that is answered after a sign-out does not come back`() async throws {
    let gate = Gate()
    let store = MemoryStore()
    let (roost, _) = Roost.faked(store) { request throws(RoostError) in
      switch request.url?.path {
      case "/v1/login": return .signedIn("ada", token: "t1")
      case "/v1/me":
        await gate.pass()
        return .me("ada")
      default: return .done
      }
    }
    try await roost.login("ada", password: "correct horse")
    let me = Task { try await roost.me() }
    #expect(await eventually { gate.waitingCount == 1 })
    _ = await roost.signOut().value
    gate.open()
    await #expect(throws: RoostError.superseded) { try await me.value }
    #expect(roost.user == nil && store.load() == nil)
  }

  @Test func `a late word that the old session is over leaves the new one alone`() async throws {
    let gate = Gate()
    let (roost, _) = Roost.faked { request throws(RoostError) in
      switch (request.url?.path, request.value(forHTTPHeaderField: "Authorization")) {
      case ("/v1/login", _):
        let isFirst = String(decoding: request.httpBody ?? Data(), as: UTF8.self).contains("first")
        return isFirst ? .signedIn("first", token: "t1") : .signedIn("second", token: "t2")
      case ("/v1/me", "Bearer t1"):
        await gate.pass()
        return .problem(401, "signed_out")
      default: return .done
      }
    }
    try await roost.login("first", password: "correct horse")
    let me = Task { try await roost.me() }
    #expect(await eventually { gate.waitingCount == 1 })
    try await roost.login("second", password: "correct horse")
    gate.open()
    await #expect(throws: RoostError.signedOut) { try await me.value }
    #expect(roost.user?.username == "second")
  }

  @Test func `a read that a write has overtaken does not undo it`() async throws {
    let gate = Gate()
    let (roost, _) = Roost.faked { request throws(RoostError) in
      switch (request.httpMethod, request.url?.path) {
      case (_, "/v1/login"): return .signedIn("ada", token: "t1")
      case ("PATCH", _): return .me("ada", bio: "new")
      case ("GET", "/v1/me"):
        await gate.pass()
        return .me("ada", bio: "old")
      default: return .done
      }
    }
    try await roost.login("ada", password: "correct horse")
    let me = Task { try await roost.me() }
    #expect(await eventually { gate.waitingCount == 1 })
    try await roost.update(bio: .becomes("new"))
    gate.open()
    #expect(try await me.value.bio == "old")
    #expect(roost.user?.bio == "new")
  }

  @Test func `a cancelled log-in signs nobody in`() async throws {
    let gate = Gate()
    let (roost, transport) = Roost.faked { request throws(RoostError) in
      guard request.url?.path == "/v1/login" else { return .done }
      await gate.pass()
      return .signedIn("ada", token: "t1")
    }
    let login = Task { try await roost.login("ada", password: "correct horse") }
    #expect(await eventually { gate.waitingCount == 1 })
    login.cancel()
    gate.open()
    await #expect(throws: RoostError.cancelled) { try await login.value }
    #expect(roost.user == nil)
    #expect(transport.calls.first == "POST /v1/login")
  }

  @Test func `sign-outs and log-ins at once leave one truth`() async throws {
    let store = MemoryStore()
    let (roost, _) = Roost.faked(store) { request throws(RoostError) in
      request.url?.path == "/v1/login" ? .signedIn("ada", token: UUID().uuidString) : .done
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          if number.isMultiple(of: 3) { _ = roost.signOut() } else { _ = try? await roost.login("ada", password: "x") }
        }
      }
    }
    #expect(store.load()?.user == roost.user)
    _ = await roost.signOut().value
    #expect(store.load() == nil && roost.user == nil)
  }

  @Test func `an account of one session is not taken for that of another`() throws {
    func signedIn(_ name: String) throws -> SignedIn {
      try JSONDecoder.roost.decode(
        SignedIn.self, from: Data(FakeTransport.Answer.signedIn(name, token: name).body.utf8))
    }
    let presence = Presence(server: "https://roost.example", store: MemoryStore())
    _ = try presence.accept(signedIn("first"), token: "t1", presence.begin())
    #expect(try presence.accept(signedIn("second"), token: "t2", presence.begin()) == "t1")
    presence.update(try signedIn("first").user, token: "t1")
    #expect(presence.user?.username == "second")
    presence.expire("t1")
    #expect(presence.user?.username == "second" && presence.isPresent("t2"))
  }
}
