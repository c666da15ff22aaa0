import Foundation
import RoostAPI
import TestSupport
import Testing

@testable import RoostClient

/// The life of a session, against the real server.
@Suite struct SignInTests {
  @Test func `registering signs in, here and at the server, and signing out ends it in both places`() async throws {
    let store = MemoryStore()
    let roost = try await Stage.device(store)
    let ada = Newcomer()
    #expect(roost.user == nil)

    let account = try await roost.register(
      email: ada.email, username: ada.username.uppercased(), fullName: "Ada L.", password: ada.password)
    #expect(account.username == ada.username && account.email == ada.email && account.fullName == "Ada L.")
    #expect(roost.user == account)
    let token = try #require(store.load()?.token)
    #expect(try await roost.me() == account)

    let serverEnd = roost.signOut()
    #expect(roost.user == nil && store.load() == nil)
    #expect(await serverEnd.value)
    let dead = try await offPool { [client = try Stage.server.get().client()] in
      try client.send("GET", "/v1/me", headers: [("Authorization", "Bearer \(token)")]).status
    }
    #expect(dead == 401)
    await #expect(throws: RoostError.signedOut) { try await roost.me() }
  }

  @Test func `a log-in takes the email address or the username, and says why it fails`() async throws {
    let roost = try await Stage.device()
    let ada = Newcomer()
    try await roost.signUp(ada)
    _ = await roost.signOut().value
    for login in [ada.email, ada.username, ada.username.uppercased()] {
      #expect(try await roost.login(login, password: ada.password).username == ada.username)
    }
    let other = try await Stage.device()
    let error = await #expect(throws: RoostError.self) { try await other.login(ada.email, password: "wrong horse") }
    #expect(error?.code == .wrongCredentials)
    #expect(error?.message.isEmpty == false && error?.message == error?.problem?.detail)
    #expect(other.user == nil)
  }

  @Test func `what is taken is said for its field`() async throws {
    let roost = try await Stage.device()
    let ada = Newcomer()
    try await roost.signUp(ada)
    let error = await #expect(throws: RoostError.self) {
      try await roost.register(email: "x" + ada.email, username: ada.username, password: ada.password)
    }
    #expect(error?.code == .taken && error?.code(for: "username") == .taken)
    #expect(error?.message(for: "username")?.isEmpty == false && error?.message(for: "email") == nil)
    #expect(error?.message == error?.message(for: "username"))
    #expect(roost.user?.username == ada.username, "who was signed in still is")
  }

  @Test func `a start is local first, and then asks the server`() async throws {
    let store = MemoryStore()
    let (ada, first) = (Newcomer(), try await Stage.device(store))
    try await first.signUp(ada)
    try await first.update(bio: .becomes("Known."))
    let other = try await Stage.device()
    try await other.login(ada.username, password: ada.password)
    try await other.update(bio: .becomes("Newer."))

    let again = try await Stage.device(store)
    #expect(again.user?.bio == "Known.")
    #expect(await eventually { again.user?.bio == "Newer." })
    #expect(store.load()?.user.bio == "Newer.")

    let offline = Stage.device("http://127.0.0.1:1", MemoryStore(store.load()))
    #expect(offline.user == nil, "a session is of one server")
  }

  @Test func `a session that was ended elsewhere is over here with the next call`() async throws {
    let store = MemoryStore()
    let (ada, phone, laptop) = (Newcomer(), try await Stage.device(store), try await Stage.device())
    try await phone.signUp(ada)
    try await laptop.login(ada.email, password: ada.password)
    let sessions = try await laptop.sessions()
    #expect(sessions.count == 2 && sessions.count { $0.current } == 1)
    try await laptop.endOtherSessions()
    await #expect(throws: RoostError.signedOut) { try await phone.me() }
    #expect(phone.user == nil && store.load() == nil)
    #expect(try await laptop.sessions().count == 1)
  }

  @Test func `logging in anew ends the session before`() async throws {
    let roost = try await Stage.device()
    let ada = Newcomer()
    try await roost.signUp(ada)
    try await roost.login(ada.email, password: ada.password)
    #expect(try await eventually { try await roost.sessions().count == 1 })
  }

  @Test func `a new password ends the other sessions, and a deleted account signs out`() async throws {
    let store = MemoryStore()
    let (ada, phone, laptop) = (Newcomer(), try await Stage.device(store), try await Stage.device())
    try await phone.signUp(ada)
    try await laptop.login(ada.email, password: ada.password)
    let wrong = await #expect(throws: RoostError.self) {
      try await phone.changePassword(from: "wrong horse", to: "battery staple 9")
    }
    #expect(wrong?.code == .wrongPassword && phone.user != nil)
    try await phone.changePassword(from: ada.password, to: "battery staple 9")
    await #expect(throws: RoostError.signedOut) { try await laptop.me() }
    try await phone.me()
    try await phone.deleteAccount(password: "battery staple 9")
    #expect(phone.user == nil && store.load() == nil)
    let gone = await #expect(throws: RoostError.self) {
      try await phone.login(ada.email, password: "battery staple 9")
    }
    #expect(gone?.code == .wrongCredentials)
  }
}
