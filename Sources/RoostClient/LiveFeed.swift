import Foundation
public import RoostAPI

/// What comes into the home feed while somebody looks, tweet by tweet.
///
/// It comes back by itself when the connection is lost, and goes on where it was, so that nothing is missed and nothing
/// comes twice. It ends when the task is cancelled; the end of the session is thrown as ``RoostError/signedOut``.
public struct LiveFeed: AsyncSequence, Sendable {
  /// What a live feed says.
  public enum Element: Sendable, Hashable {
    /// A new tweet.
    case tweet(Tweet)
    /// Too much was missed: load the feed anew.
    case reload
  }

  private let roost: Roost
  private let place: String?

  /// `place` is the id of the last tweet that is known.
  init(_ roost: Roost, after place: String?) {
    self.roost = roost
    self.place = place
  }

  public func makeAsyncIterator() -> Iterator { Iterator(roost, after: place) }

  /// Holds the connection. It is closed with the iterator.
  public struct Iterator: AsyncIteratorProtocol {
    private let roost: Roost
    private var place: String?
    private var seen = SeenTweets()
    private var connection: Connection?
    private var waiting: [LiveFeed.Element] = []
    private var failures = 0
    /// Whose feed it is; another user's must not come after it.
    private var token: String?
    private var retryMilliseconds = 0

    init(_ roost: Roost, after place: String?) {
      self.roost = roost
      self.place = place
    }

    /// What comes next; nil when the task was cancelled. Failures: `signedOut`, `superseded`, `locked`, `refused`.
    public mutating func next() async throws(RoostError) -> LiveFeed.Element? {
      while !Task.isCancelled {
        let owner = try owner()
        guard roost.presence.isPresent(owner) else { throw roost.user == nil ? .signedOut : .superseded }
        if !waiting.isEmpty { return waiting.removeFirst() }
        do throws(RoostError) {
          try await receive(owner)
        } catch {
          connection = nil
          if error == .signedOut { roost.presence.expire(owner) }
          if error == .cancelled || Task.isCancelled { return nil }
          guard error.isPassing else { throw error }
          try await pause(error)
        }
      }
      return nil
    }

    private mutating func owner() throws(RoostError) -> String {
      if let token { return token }
      let present = try roost.presence.token()
      token = present
      return present
    }

    /// Waits for bytes, and takes on the events in them.
    private mutating func receive(_ token: String) async throws(RoostError) {
      if connection == nil { connection = try await connect(token) }
      let piece = try await connection?.piece() ?? Data()
      let events: [ServerEvent]
      do {
        events = try connection?.parser.events(in: piece) ?? []
      } catch {
        throw .unreachable("an event is too large")
      }
      retryMilliseconds = connection?.parser.retryMilliseconds ?? 0
      for event in events { try take(event) }
    }

    private mutating func take(_ event: ServerEvent) throws(RoostError) {
      failures = 0
      switch event.name {
      case "tweet":
        guard let tweet = try? JSONDecoder.roost.decode(Tweet.self, from: Data(event.data.utf8)) else {
          throw .unexpectedAnswer(status: 200)
        }
        place = event.id ?? tweet.id
        if seen.insert(tweet.id) { waiting.append(.tweet(tweet)) }
      case "reload":
        place = event.id ?? place
        waiting.append(.reload)
      case "signed_out": throw .signedOut
      default: break  // of a later server
      }
    }

    private func connect(_ token: String) async throws(RoostError) -> Connection {
      var call = Call(.liveFeed)
      call.headers = [("Accept", "text/event-stream")]
      if let place { call.headers.append(("Last-Event-ID", place)) }
      return try await Connection(roost, call, token)
    }

    private mutating func pause(_ error: RoostError) async throws(RoostError) {
      var pause = roost.pace.live.backOff(failures)
      // Within bounds: a server that is wrong about it must neither be hammered nor lose its readers.
      pause = Swift.max(pause, Retries.jittered(milliseconds: Swift.min(retryMilliseconds, 60_000)))
      if case .tooManyRequests(_, let seconds) = error { pause = Swift.max(pause, .seconds(Swift.min(seconds, 300))) }
      failures += 1
      // A cancellation is seen by the loop.
      try? await Task.sleep(for: pause)
    }
  }
}

extension LiveFeed.Iterator {
  /// One answer that does not end.
  fileprivate struct Connection {
    private let body: AsyncThrowingStream<Data, any Error>
    var parser = EventParser()

    init(_ roost: Roost, _ call: Call, _ token: String) async throws(RoostError) {
      let idleSecondsMax = roost.pace.liveIdleSecondsMax
      guard let request = call.request(to: roost.url, token: token, idleSecondsMax: idleSecondsMax) else {
        throw .unreachable("no address for the live feed")
      }
      let incoming = try await roost.transport.open(request, onNewConnection: false)
      guard incoming.status == call.endpoint.successStatus else {
        throw Roost.error(incoming, try await incoming.collected())
      }
      guard incoming.headers["content-type"]?.hasPrefix("text/event-stream") == true else {
        throw .unexpectedAnswer(status: incoming.status)
      }
      body = incoming.body
    }

    /// The next bytes. The end of the stream is a lost connection.
    func piece() async throws(RoostError) -> Data {
      // The stream is what holds the place; an iterator of it may be sent to where it waits only while it is new.
      var pieces = body.makeAsyncIterator()
      do {
        if let piece = try await pieces.next() { return piece }
      } catch let error as RoostError {
        throw error
      } catch {
        throw .unreachable("\(error)")
      }
      throw .unreachable("the stream has ended")
    }
  }
}

/// The tweets that came lately, so that none comes twice.
struct SeenTweets: Sendable {
  private var ids: Set<String> = []
  private var order: [String] = []

  static let countMax = 2_000

  /// False when it is known already.
  mutating func insert(_ id: String) -> Bool {
    guard ids.insert(id).inserted else { return false }
    order.append(id)
    if order.count > Self.countMax {
      let half = order.count / 2
      ids.subtract(order.prefix(half))
      order.removeFirst(half)
    }
    return true
  }
}
