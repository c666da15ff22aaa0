import Secrets
public import Store
public import Values

/// What a live feed says to its reader.
public enum LiveEvent: Sendable, Equatable {
  /// A new tweet of the viewer's home feed.
  case tweet(TweetRow)
  /// The reader has missed some: it is to load the feed anew, and the stream goes on from `at`.
  case reload(at: TweetID)
  /// The session is over. It is the last event.
  case signedOut
  /// Nothing new, and still here.
  case beat
}

/// Where a stream begins.
public enum LiveStart: Sendable, Equatable {
  case now
  /// With what has come since this tweet, which the reader had as its last.
  case after(TweetID)
  /// The reader had something that names no tweet: it must reload.
  case unknown

  /// Reads `Last-Event-ID`, which is empty or missing at the first time.
  public init(lastEventID text: String?) {
    guard let text, !text.isEmpty else {
      self = .now
      return
    }
    self = TweetID(text).map(LiveStart.after) ?? .unknown
  }
}

/// Names one stream of a ``LiveFeed``.
public struct LiveStreamID: Hashable, Sendable {
  let number: Int
}

/// One reader of a ``LiveFeed``: what waits for it, within the feed's isolation.
final class LiveStream {
  let viewer: AccountID
  let token: TokenDigest
  private var waiting: [LiveEvent] = []
  private var reader: CheckedContinuation<LiveEvent?, Never>?
  private var isOver = false
  /// When something was last handed to the reader.
  private(set) var readMilliseconds: UInt64
  /// Whether new tweets still wait for those that the reader has missed.
  private var isCatchingUp: Bool

  /// More events than this do not wait: then the reader is told to reload.
  static let waitingMax = 256

  init(viewer: AccountID, token: TokenDigest, isCatchingUp: Bool, now: UInt64) {
    self.viewer = viewer
    self.token = token
    self.isCatchingUp = isCatchingUp
    readMilliseconds = now
  }

  /// Whether somebody waits for the next event.
  var hasReader: Bool { reader != nil }

  /// Adds an event. A reader that is too far behind is told to reload from `place` in place of all that waits.
  func add(_ event: LiveEvent, place: TweetID, now: UInt64) {
    guard !isOver else { return }
    if waiting.count >= Self.waitingMax { waiting = [.reload(at: place)] } else { waiting.append(event) }
    handOver(now: now)
  }

  /// Puts what the reader has missed before what has come meanwhile.
  func catchUp(_ missed: [TweetRow], now: UInt64) {
    let known = Set(missed.map(\.id))
    waiting =
      missed.map(LiveEvent.tweet)
      + waiting.filter {
        if case .tweet(let tweet) = $0 { !known.contains(tweet.id) } else { true }
      }
    isCatchingUp = false
    handOver(now: now)
  }

  /// The reader must reload, whatever waits for it.
  func startOver(at place: TweetID, now: UInt64) {
    waiting = [.reload(at: place)]
    isCatchingUp = false
    handOver(now: now)
  }

  /// Ends it, with one last event if there is one.
  func end(_ last: LiveEvent? = nil, now: UInt64) {
    guard !isOver else { return }
    isOver = true
    isCatchingUp = false
    if let last { waiting.append(last) }
    handOver(now: now)
  }

  /// The next event, or nil at the end. One reader at a time.
  func next(now: UInt64) async -> LiveEvent? {
    readMilliseconds = now
    if !isCatchingUp, !waiting.isEmpty { return waiting.removeFirst() }
    if isOver { return nil }
    return await withCheckedContinuation { reader = $0 }
  }

  private func handOver(now: UInt64) {
    guard !isCatchingUp, let reader else { return }
    guard !waiting.isEmpty || isOver else { return }
    self.reader = nil
    readMilliseconds = now
    reader.resume(returning: waiting.isEmpty ? nil : waiting.removeFirst())
  }
}
