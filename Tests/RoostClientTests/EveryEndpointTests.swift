import Foundation
import RoostAPI
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client reaches all of the API, and no call of it is written out by hand.
@Suite struct EveryEndpointTests {
  /// One use of each; what comes of it is not of interest.
  static let uses: [String: @Sendable (Roost) async throws -> Void] = [
    "register": { try await $0.register(email: "ada@example.com", username: "ada", password: "correct horse") },
    "login": { try await $0.login("ada", password: "correct horse") },
    "signOut": { _ = await $0.signOut().value },
    "me": { try await $0.me() },
    "changeProfile": { try await $0.update(bio: .becomes("A bio.")) },
    "deleteAccount": { try await $0.deleteAccount(password: "correct horse") },
    "exportAccount": { _ = try await $0.exportAccount() },
    "changePassword": { try await $0.changePassword(from: "correct horse", to: "battery staple") },
    "replaceAvatar": { try await $0.uploadAvatar(Data([0xff, 0xd8, 0xff])) },
    "removeAvatar": { try await $0.removeAvatar() },
    "avatar": { _ = try await $0.avatar("https://roost.example/v1/avatars/value.jpg") },
    "changeEmail": { try await $0.changeEmail(to: "ada@example.org", password: "correct horse") },
    "requestPasswordReset": { try await $0.requestPasswordReset(email: "ada@example.com") },
    "resetPassword": { try await $0.resetPassword(token: "t", newPassword: "battery staple") },
    "requestEmailVerification": { try await $0.requestEmailVerification() },
    "confirmEmail": { try await $0.confirmEmail(token: "t") },
    "remindUsername": { try await $0.remindUsername(email: "ada@example.com") },
    "usernameAvailability": { _ = try await $0.usernameAvailability("value") },
    "sessions": { _ = try await $0.sessions() },
    "endSession": { try await $0.endSession("value") },
    "endOtherSessions": { try await $0.endOtherSessions() },
    "writeTweet": { try await $0.writeTweet("Hello.") },
    "tweet": { _ = try await $0.tweet("value") },
    "deleteTweet": { try await $0.deleteTweet("value") },
    "likeTweet": { try await $0.likeTweet("value") },
    "unlikeTweet": { try await $0.unlikeTweet("value") },
    "follow": { try await $0.follow("value") },
    "unfollow": { try await $0.unfollow("value") },
    "feed": { _ = try await $0.feed().pages.page() },
    "liveFeed": { for try await _ in $0.feed().live() {} },
    "explore": { _ = try await $0.explore().page() },
    "profile": { _ = try await $0.profile("value") },
    "profileTweets": { _ = try await $0.tweets(of: "value").page() },
    "followers": { _ = try await $0.followers(of: "value").page() },
    "following": { _ = try await $0.following(of: "value").page() },
    "health": { _ = try await $0.health() },
    "ready": { _ = try await $0.ready() },
    "openAPI": { _ = try await $0.openAPI() },
  ]

  @Test func `there is a use of every endpoint, and of nothing else`() {
    #expect(Set(Self.uses.keys) == Set(Endpoint.all.map(\.name)))
  }

  @Test(arguments: Endpoint.all)
  func `the client calls it as the API says`(endpoint: Endpoint) async throws {
    let use = try #require(Self.uses[endpoint.name])
    let session = try StoredSession(
      server: "https://roost.example", token: "t1", sessionID: "s1",
      user: JSONDecoder.roost.decode(Account.self, from: Data(FakeTransport.Answer.account("ada").utf8)))
    let (roost, transport) = Roost.faked(MemoryStore(session)) { _ throws(RoostError) in
      .problem(400, "malformed_request")
    }
    // The call that every start makes.
    #expect(await eventually { transport.calls == ["GET /v1/me"] })
    _ = try? await use(roost)
    #expect(transport.requests.count == 2)
    let request = try #require(transport.requests.last)
    #expect(request.httpMethod == endpoint.method.rawValue)
    #expect(request.url?.path == endpoint.path.replacing(#/\{\w+\}/#, with: "value"))
    let token = request.value(forHTTPHeaderField: "Authorization")
    let takesToken = endpoint.needsSession || endpoint == .signOut
    #expect(token == (takesToken ? "Bearer t1" : nil), "a token goes where it is needed, and nowhere else")
    let hasBody = request.httpBody != nil
    #expect(hasBody == (request.value(forHTTPHeaderField: "Content-Type") != nil))
  }

  @Test func `values are encoded, and cannot lead elsewhere`() async throws {
    let server = URL(string: "https://roost.example/base/")!
    func address(_ value: String) -> String? {
      Call(.usernameAvailability, [value]).request(to: server, token: nil, idleSecondsMax: 1)?.url?.absoluteString
    }
    #expect(address("a/b?c#d%e ü") == "https://roost.example/base/v1/usernames/a%2Fb%3Fc%23d%25e%20%C3%BC")
    #expect(address("..") == nil && address(".") == nil && address("") == nil)
    let file = Call(.me).request(to: URL(string: "file:///etc")!, token: "t", idleSecondsMax: 1)
    #expect(file == nil)
  }
}
