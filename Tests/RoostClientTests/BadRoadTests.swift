import Foundation
import RoostAPI
import TestSupport
import Testing

@testable import RoostClient

/// The client and the real server, with a bad road between them.
@Suite(.timeLimit(.minutes(5))) struct BadRoadTests {
  private static func road(
    _ fate: @escaping @Sendable (LocalServer.Request, Int) -> BadRoad.Fate
  ) async throws -> (road: BadRoad, roost: Roost) {
    let address = try await Stage.start().address
    let road = try BadRoad(to: address, fate)
    return (road, Stage.device(road.url))
  }

  @Test func `a tweet is written once, whether its request, its answer or nothing is lost, or it comes twice`()
    async throws
  {
    let fates: [BadRoad.Fate] = [
      .passes, .requestIsLost, .answerIsLost, .arrivesTwice, .isHeldUp(milliseconds: 50), .isAnswered(502, "<html>"),
    ]
    for fate in fates {
      let (_, roost) = try await Self.road { request, number in
        request.target == "/v1/tweets" && number == 0 ? fate : .passes
      }
      try await roost.signUp()
      let tweet = try await roost.writeTweet("Once.")
      #expect(try await roost.feed().pages.page().items == [tweet], "\(fate)")
      #expect(try await roost.me().tweets == 1, "\(fate)")
    }
  }

  @Test func `reads, photos, deletions and the ends of sessions arrive over a road that loses every first answer`()
    async throws
  {
    let (_, roost) = try await Self.road { request, number in
      let isOnceOnly = ["/v1/register", "/v1/login"].contains(request.target) || request.method == "PATCH"
      return number == 0 && !isOnceOnly ? .answerIsLost : .passes
    }
    let ada = Newcomer()
    try await roost.signUp(ada)
    let other = try await Stage.device()
    try await other.login(ada.username, password: ada.password)

    let tweet = try await roost.writeTweet("Here today.")
    #expect(try await roost.tweet(tweet.id) == tweet)
    try await roost.deleteTweet(tweet.id)
    #expect(try await roost.feed().pages.page().items == [])
    let account = try await roost.uploadAvatar(Data(SamplePicture.png))
    let photo = try #require(account.profileImageURL)
    #expect(try await roost.avatar(photo).starts(with: [0xff, 0xd8]))
    try await roost.removeAvatar()
    #expect(roost.user?.profileImageURL == nil)
    try await roost.endOtherSessions()
    #expect(try await roost.sessions().count == 1)
    #expect(await roost.signOut().value)
  }

  @Test func `a log-in whose answer is lost is not repeated, and the next one works`() async throws {
    let (road, roost) = try await Self.road { request, number in
      request.target == "/v1/login" && number == 0 ? .answerIsLost : .passes
    }
    let ada = Newcomer()
    try await roost.signUp(ada)
    _ = await roost.signOut().value
    let error = await #expect(throws: RoostError.self) { try await roost.login(ada.email, password: ada.password) }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(roost.user == nil && error?.isPassing == true)
    #expect(road.requests.count { $0.target == "/v1/login" } == 1)
    try await roost.login(ada.email, password: ada.password)
  }

  @Test func `a registration that arrives twice makes one account`() async throws {
    let (_, roost) = try await Self.road { request, _ in
      request.target == "/v1/register" ? .arrivesTwice : .passes
    }
    let ada = Newcomer()
    let error = await #expect(throws: RoostError.self) { try await roost.signUp(ada) }
    #expect(error?.code == .taken)
    try await roost.login(ada.email, password: ada.password)
  }

  @Test func `a sign-out reaches the server in the end`() async throws {
    let (_, roost) = try await Self.road { request, number in
      guard request.target == "/v1/signout" else { return .passes }
      return number == 0 ? .requestIsLost : number == 1 ? .isAnswered(503, "<html>") : .passes
    }
    let ada = Newcomer()
    try await roost.signUp(ada)
    let other = try await Stage.device()
    try await other.login(ada.username, password: ada.password)
    #expect(try await other.sessions().count == 2)
    let serverEnd = roost.signOut()
    #expect(roost.user == nil)
    #expect(await serverEnd.value)
    #expect(try await other.sessions().count == 1)
  }

  @Test func `a gateway that asks for a log-in of its own does not sign anybody out`() async throws {
    let (_, roost) = try await Self.road { request, _ in
      request.target == "/v1/me" ? .isAnswered(401, "<html>Hotel</html>") : .passes
    }
    try await roost.signUp()
    await #expect(throws: RoostError.unexpectedAnswer(status: 401)) { try await roost.me() }
    #expect(roost.user != nil)
    #expect(try await roost.sessions().count == 1)
  }

  @Test func `a road that is out of order altogether is said so, and the session stays`() async throws {
    let (_, roost) = try await Self.road { request, _ in request.method == "GET" ? .requestIsLost : .passes }
    try await roost.signUp()
    let error = await #expect(throws: RoostError.self) { try await roost.me() }
    #expect(error?.isPassing == true && error?.code == nil)
    #expect(error?.message == "The server cannot be reached. Check the connection and try again.")
    #expect(roost.user != nil)
  }
}
