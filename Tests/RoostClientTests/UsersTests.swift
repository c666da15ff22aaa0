import Foundation
import RoostAPI
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The signed-in user as a stream.
@Suite struct UsersTests {
  private static func roost(_ store: some SessionStore = MemoryStore()) -> Roost {
    Roost.faked(store) { request throws(RoostError) in
      switch (request.httpMethod, request.url?.path) {
      case (_, "/v1/login"): .signedIn("ada", token: "t1")
      case ("PATCH", _): .me("ada", bio: "new")
      case ("GET", "/v1/me"): .me("ada")
      default: .done
      }
    }.roost
  }

  @Test func `a new listener hears the present value at once, and every later one`() async throws {
    let roost = Self.roost()
    var users = roost.users.makeAsyncIterator()
    #expect(await users.next() == .some(nil), "nobody")
    try await roost.login("ada", password: "correct horse")
    #expect(await users.next()??.username == "ada")
    var late = roost.users.makeAsyncIterator()
    #expect(await late.next()??.username == "ada")
    try await roost.update(bio: .becomes("new"))
    #expect(await users.next()??.bio == "new")
    #expect(await late.next()??.bio == "new")
    roost.signOut()
    #expect(await users.next() == .some(nil))
    #expect(await late.next() == .some(nil))
  }

  @Test func `who is slow hears the newest`() async throws {
    let roost = Self.roost()
    var users = roost.users.makeAsyncIterator()
    try await roost.login("ada", password: "correct horse")
    try await roost.update(bio: .becomes("new"))
    #expect(await users.next()??.bio == "new")
  }

  @Test func `nothing is said when nothing has changed`() async throws {
    let roost = Self.roost()
    try await roost.login("ada", password: "correct horse")
    var users = roost.users.makeAsyncIterator()
    #expect(await users.next()??.username == "ada")
    try await roost.me()
    roost.signOut()
    #expect(await users.next() == .some(nil))
    roost.signOut()
    try await roost.login("ada", password: "correct horse")
    #expect(await users.next()??.username == "ada")
  }

  @Test func `it ends with its task, and with the Roost`() async throws {
    var roost: Roost? = Self.roost()
    let users = try #require(roost?.users)
    let cancelled = Task { [users = try #require(roost?.users)] in for await _ in users {} }
    cancelled.cancel()
    await cancelled.value
    let listener = Task { for await _ in users {} }
    // What a start does in the background holds on to it for a moment.
    roost = nil
    await listener.value
    #expect(roost == nil)
  }
}
