import Secrets
import Store
import Testing
import Values

@testable import Services

@Suite(.timeLimit(.minutes(1))) struct LiveStreamTests {
  private let ids = IDSource()

  private func stream(isCatchingUp: Bool = false) -> LiveStream {
    LiveStream(viewer: ids.next(), token: SessionToken().digest, isCatchingUp: isCatchingUp, now: 1)
  }

  /// What is read until the stream ends.
  private func rest(of stream: LiveStream) async -> [LiveEvent] {
    stream.end(now: 9)
    var events: [LiveEvent] = []
    while let event = await stream.next(now: 9) { events.append(event) }
    return events
  }

  private func add(_ tweets: some Sequence<TweetRow>, to stream: LiveStream) {
    for tweet in tweets { stream.add(.tweet(tweet), place: tweet.id, now: 2) }
  }

  @Test func `events are handed over in their order, and the stream ends after its last`() async {
    let stream = stream()
    let place: TweetID = ids.next()
    stream.add(.beat, place: ids.next(), now: 2)
    stream.add(.reload(at: place), place: ids.next(), now: 3)
    stream.end(.signedOut, now: 4)
    stream.add(.beat, place: ids.next(), now: 5)
    stream.end(.signedOut, now: 6)
    for event in [LiveEvent.beat, .reload(at: place), .signedOut, nil, nil] {
      #expect(await stream.next(now: 7) == event)
    }
    #expect(stream.readMilliseconds == 7 && !stream.hasReader)
  }

  @Test func `a reader that is too far behind is told to reload, and what comes then is sent`() async {
    let stream = stream()
    for _ in 0..<LiveStream.waitingMax { stream.add(.beat, place: ids.next(), now: 2) }
    let places: [TweetID] = [ids.next(), ids.next()]
    let full = self.stream()
    for index in 0...LiveStream.waitingMax {
      full.add(.beat, place: index == LiveStream.waitingMax ? places[0] : ids.next(), now: 2)
    }
    full.add(.reload(at: places[1]), place: ids.next(), now: 3)
    #expect(await rest(of: stream) == Array(repeating: .beat, count: LiveStream.waitingMax))
    #expect(await rest(of: full) == [.reload(at: places[0]), .reload(at: places[1])])
  }

  @Test func `what was missed comes before what has come meanwhile, and nothing twice`() async throws {
    try await LiveGround.with { ground in
      _ = try ground.newcomer("ada")
      let all = try await ground.tweets(6, by: "ada")
      let stream = stream(isCatchingUp: true)
      add(all[3...], to: stream)
      stream.catchUp(Array(all[..<4]), now: 3)
      #expect(await rest(of: stream) == all.map(LiveEvent.tweet))

      let lost = self.stream(isCatchingUp: true)
      add(all, to: lost)
      let place: TweetID = ids.next()
      lost.startOver(at: place, now: 3)
      add(all[..<1], to: lost)
      #expect(await rest(of: lost) == [.reload(at: place), .tweet(all[0])])
    }
  }
}
