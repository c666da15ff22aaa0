import Foundation
import RoostAPI
import TestSupport
import Testing

@testable import RoostClient

/// The live feed of the real server.
@Suite(.timeLimit(.minutes(5))) struct LiveServerTests {
  /// Two devices of one person.
  private static func devices() async throws -> (phone: Roost, laptop: Roost) {
    let (ada, phone, laptop) = (Newcomer(), try await Stage.device(), try await Stage.device())
    try await phone.signUp(ada)
    try await laptop.login(ada.username, password: ada.password)
    return (phone, laptop)
  }

  @Test func `what one device writes the other shows, from the first tweet on`() async throws {
    let (phone, laptop) = try await Self.devices()
    var feed = phone.feed().makeAsyncIterator()
    guard case .page(let page) = try await feed.next() else {
      Issue.record("the page comes first")
      return
    }
    #expect(page.items == [] && page.next == nil)
    // Written before the live connection stands.
    let first = try await laptop.writeTweet("First.")
    var timeline = Timeline()
    while timeline.tweets.isEmpty { timeline.apply(try #require(try await feed.next())) }
    #expect(timeline.tweets == [first])
    let second = try await laptop.writeTweet("Second, 한글.")
    while timeline.tweets.count < 2 { timeline.apply(try #require(try await feed.next())) }
    #expect(timeline.tweets == [second, first])
  }

  @Test func `older pages come while it goes on`() async throws {
    let (phone, laptop) = try await Self.devices()
    for number in 1...5 { try await laptop.writeTweet("Tweet \(number).") }
    let feed = phone.feed(limit: 2)
    var updates = feed.makeAsyncIterator()
    var timeline = Timeline()
    timeline.apply(try #require(try await updates.next()))
    while let next = timeline.next { timeline.add(try await feed.older(before: next)) }
    #expect(timeline.tweets.map(\.text) == (1...5).reversed().map { "Tweet \($0)." })
    try await laptop.writeTweet("Tweet 6.")
    while timeline.tweets.count < 6 { timeline.apply(try #require(try await updates.next())) }
    #expect(timeline.tweets.first?.text == "Tweet 6.")

    var texts: [String] = []
    for try await page in feed.pages { texts += page.items.map(\.text) }
    #expect(texts == (1...6).reversed().map { "Tweet \($0)." })
  }

  @Test func `it ends with the session, wherever that is ended`() async throws {
    let (phone, laptop) = try await Self.devices()
    let listener = Task { for try await _ in phone.feed() {} }
    try await Task.sleep(for: .milliseconds(200))
    try await laptop.endOtherSessions()
    await #expect(throws: RoostError.signedOut) { try await listener.value }
    #expect(phone.user == nil)
  }

  @Test func `a followed person's tweets come, and can be liked`() async throws {
    let (ada, grace) = (try await Stage.device(), try await Stage.device())
    try await ada.signUp()
    let author = try await grace.signUp(Newcomer("grace"))
    try await ada.follow(author.username)
    try await ada.follow(author.username)
    #expect(try await ada.profile(author.username).followedByMe)
    #expect(try await grace.followers(of: author.username).page().items.map(\.username) == [ada.user?.username])

    let tweet = try await grace.writeTweet("Hello, Ada.")
    #expect(try await ada.feed().pages.page().items.map(\.id) == [tweet.id])
    for _ in 0..<2 { try await ada.likeTweet(tweet.id) }
    let liked = try await ada.tweet(tweet.id)
    #expect(liked.likes == 1 && liked.likedByMe)
    for _ in 0..<2 { try await ada.unlikeTweet(tweet.id) }
    #expect(try await ada.tweet(tweet.id).likes == 0)
    for _ in 0..<2 { try await ada.unfollow(author.username) }
    #expect(try await ada.feed().pages.page().items == [])
  }
}
