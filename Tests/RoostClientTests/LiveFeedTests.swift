import Foundation
import RoostAPI
import Synchronization
import TestSupport
import Testing

@testable import RoostClient

/// The live feed, against a server that says what the test wants.
@Suite(.timeLimit(.minutes(5))) struct LiveFeedTests {
  /// Says the parts of a stream one connection after the other, and then nothing more.
  private static func server(
    _ streams: [String], page: String = #"{"items": [], "next": null}"#
  ) throws -> LocalServer {
    let count = Mutex(0)
    return try LocalServer { request, connection in
      switch request.target.prefix(while: { $0 != "?" }) {
      case "/v1/login": connection.answer(201, Array(FakeTransport.Answer.signedIn("ada", token: "t1").body.utf8))
      case "/v1/me": connection.answer(200, Array(FakeTransport.Answer.account("ada").utf8))
      case "/v1/feed": connection.answer(200, Array(page.utf8))
      case "/v1/feed/live":
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        if number < streams.count, streams[number].hasPrefix("HTTP") {
          connection.send(streams[number])
          return false
        }
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 10\n\n")
        guard number < streams.count else {
          connection.waitForHangUp()
          return false
        }
        connection.send(streams[number])
        return false
      default: connection.answer(204, [])
      }
      return true
    }
  }

  private static func id(_ number: Int) -> String { "01890000-0000-7000-8000-0000000000\(10 + number)" }

  private static func json(_ number: Int) -> String {
    """
    {"id": "\(id(number))", "text": "Tweet \(number).", "createdAt": "2026-11-30T09:15:00.123Z", \
    "author": {"id": "01890000-0000-7000-8000-000000000001", "username": "ada", "fullName": null, \
    "profileImageURL": null}, "likes": 0, "likedByMe": false}
    """
  }

  private static func tweet(_ number: Int) -> String {
    "event: tweet\nid: \(id(number))\ndata: \(json(number))\n\n"
  }

  private static func page(_ numbers: Int...) -> String {
    #"{"items": [\#(numbers.map(json).joined(separator: ", "))], "next": null}"#
  }

  private static func liveCalls(_ server: LocalServer) -> [LocalServer.Request] {
    server.requests.filter { $0.target == "/v1/feed/live" }
  }

  private static func signedIn(_ server: LocalServer, _ pace: Pace = .quick) async throws -> Roost {
    let roost = Stage.device(server.url, MemoryStore(), pace)
    try await roost.login("ada", password: "correct horse")
    return roost
  }

  /// The texts and marks that come, as many as are wanted.
  private static func heard(_ feed: LiveFeed, _ count: Int) async throws -> [String] {
    var heard: [String] = []
    for try await event in feed {
      switch event {
      case .tweet(let tweet): heard.append(tweet.text)
      case .reload: heard.append("reload")
      }
      if heard.count == count { break }
    }
    return heard
  }

  @Test func `a lost connection is made again, goes on where it was, and brings nothing twice`() async throws {
    let server = try Self.server([
      ": beat\n\n" + Self.tweet(1) + Self.tweet(2) + "event: tweet\nid: x\ndata: {\"half",
      "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", Self.tweet(2) + Self.tweet(1) + Self.tweet(3),
    ])
    let roost = try await Self.signedIn(server)
    #expect(try await Self.heard(roost.feed().live(), 3) == ["Tweet 1.", "Tweet 2.", "Tweet 3."])
    let calls = Self.liveCalls(server)
    #expect(calls.map { $0.headers["last-event-id"] } == [nil, Self.id(2), Self.id(2)])
    #expect(calls.allSatisfy { $0.headers["authorization"] == "Bearer t1" })
    #expect(calls.allSatisfy { $0.headers["accept"] == "text/event-stream" })
  }

  @Test func `a reload is passed on, and the stream goes on from its place`() async throws {
    let server = try Self.server(["event: reload\nid: \(Self.id(5))\ndata: {}\n\n", Self.tweet(6)])
    let roost = try await Self.signedIn(server)
    #expect(try await Self.heard(roost.feed().live(after: Self.id(1)), 2) == ["reload", "Tweet 6."])
    #expect(Self.liveCalls(server).map { $0.headers["last-event-id"] } == [Self.id(1), Self.id(5)])
  }

  @Test func `the end of the session ends it, and signs out here`() async throws {
    let server = try Self.server([Self.tweet(1) + "event: signed_out\ndata: {}\n\n"])
    let roost = try await Self.signedIn(server)
    await #expect(throws: RoostError.signedOut) { try await Self.heard(roost.feed().live(), 2) }
    #expect(roost.user == nil)
    #expect(Self.liveCalls(server).count == 1)
  }

  @Test func `events of a later server are passed over`() async throws {
    let server = try Self.server(["event: like\nid: \(Self.id(9))\ndata: {}\n\n" + Self.tweet(1)])
    let roost = try await Self.signedIn(server)
    #expect(try await Self.heard(roost.feed().live(), 1) == ["Tweet 1."])
  }

  @Test func `a server that has no live feed is said so`() async throws {
    let problem = FakeTransport.Answer.problem(404, "not_found").body
    let server = try Self.server(["HTTP/1.1 404 None\r\nContent-Length: \(problem.utf8.count)\r\n\r\n\(problem)"])
    let roost = try await Self.signedIn(server)
    let error = await #expect(throws: RoostError.self) { try await Self.heard(roost.feed().live(), 1) }
    #expect(error?.code == .notFound)
  }

  @Test func `silence beyond the heartbeats is a lost connection`() async throws {
    let server = try Self.server([])
    var pace = Pace.quick
    pace.liveIdleSecondsMax = 1
    let roost = try await Self.signedIn(server, pace)
    let listener = Task { try await Self.heard(roost.feed().live(), 1) }
    #expect(await eventually { Self.liveCalls(server).count >= 2 })
    listener.cancel()
    #expect(try await listener.value == [])
  }

  @Test func `a cancelled task ends it, and its connection`() async throws {
    let server = try Self.server([])
    let roost = try await Self.signedIn(server)
    let listener = Task { try await Self.heard(roost.feed().live(), 1) }
    #expect(await eventually { Self.liveCalls(server).count == 1 })
    listener.cancel()
    #expect(try await listener.value == [])
    try await Task.sleep(for: .milliseconds(200))
    #expect(Self.liveCalls(server).count == 1, "it does not come back")
  }

  @Test func `a live feed is of one user: after a sign-out it is over`() async throws {
    let server = try Self.server([Self.tweet(1)])
    let roost = try await Self.signedIn(server)
    var live = roost.feed().live().makeAsyncIterator()
    #expect(try await live.next() != nil)
    roost.signOut()
    do {
      _ = try await live.next()
      Issue.record("the feed went on")
    } catch {
      #expect(error == .signedOut)
    }
  }

  // MARK: The feed as a whole

  /// What a screen is told, as many as are wanted.
  private static func told(_ feed: Feed, _ count: Int) async throws -> [String] {
    var told: [String] = []
    for try await update in feed {
      switch update {
      case .page(let page): told.append("page of \(page.items.count)")
      case .tweet(let tweet): told.append(tweet.text)
      }
      if told.count == count { break }
    }
    return told
  }

  @Test func `a feed is its newest page, and then what comes live and is not on it`() async throws {
    let server = try Self.server([Self.tweet(1) + Self.tweet(2) + Self.tweet(3)], page: Self.page(2, 1))
    let roost = try await Self.signedIn(server)
    #expect(try await Self.told(roost.feed(), 2) == ["page of 2", "Tweet 3."])
    #expect(Self.liveCalls(server).map { $0.headers["last-event-id"] } == [Self.id(2)])
  }

  @Test func `an empty page is followed by a reload, so that nothing between the two is missed`() async throws {
    let server = try Self.server(["event: reload\nid: \(Self.id(1))\ndata: {}\n\n" + Self.tweet(2)])
    let roost = try await Self.signedIn(server)
    #expect(try await Self.told(roost.feed(), 3) == ["page of 0", "page of 0", "Tweet 2."])
    #expect(Self.liveCalls(server).first?.headers["last-event-id"] == "none")
  }

  @Test func `a timeline holds every tweet once, newest first`() throws {
    func tweet(_ number: Int) throws -> Tweet {
      try JSONDecoder.roost.decode(Tweet.self, from: Data(Self.json(number).utf8))
    }
    func page(_ text: String) throws -> Page<Tweet> {
      try JSONDecoder.roost.decode(Page<Tweet>.self, from: Data(text.utf8))
    }
    var timeline = Timeline()
    timeline.apply(.page(try page(Self.page(4, 3))))
    timeline.apply(.tweet(try tweet(6)))
    timeline.apply(.tweet(try tweet(5)))
    timeline.apply(.tweet(try tweet(6)))
    timeline.add(try page(Self.page(3, 2)))
    #expect(timeline.tweets.map(\.id) == [6, 5, 4, 3, 2].map(Self.id) && timeline.next == nil)
    timeline.remove(Self.id(5))
    #expect(timeline.tweets.map(\.id) == [6, 4, 3, 2].map(Self.id))
    timeline.apply(.page(try page(#"{"items": [], "next": "n"}"#)))
    #expect(timeline.tweets == [] && timeline.next == "n")
  }
}
