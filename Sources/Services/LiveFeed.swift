public import EventLoop
import Postgres
import Secrets
import Store
public import Values

/// The live home feeds of one loop.
///
/// One look at the newest tweets, a few times a second and only while somebody listens, feeds all streams: what it
/// costs does not depend on their number. A second statement, only when there is something new, says who of the
/// listeners follows its author. Sessions are looked at as often, all together.
///
/// A tweet may be committed a little after one with a greater id, so that each look goes back by
/// ``Pace/overlapMilliseconds``, and leaves out what it has seen.
public actor LiveFeed {
  /// How often, how far back, and how many.
  public struct Pace: Sendable {
    /// Between two looks for new tweets.
    public var lookMilliseconds: UInt64 = 200
    /// Between two looks at the sessions.
    public var sessionsMilliseconds: UInt64 = 500
    /// A stream without news says that it is still there, so that nobody on the way closes it.
    public var beatMilliseconds: UInt64 = 15_000
    /// How long a tweet may take from its id to its commit, the difference of the nodes' clocks included.
    public var overlapMilliseconds: UInt64 = 5_000
    /// More new tweets in one look are not sent one by one: all readers reload.
    public var tweetsMax = 2_000
    /// Streams of this loop; one more is ``Failure/overloaded``.
    public var streamsMax = 3_072
    /// Streams of one account on this loop; one more is ``Failure/tooManyRequests(_:)``.
    public var streamsPerAccountMax = 10
    /// A stream that nobody reads for so long is dropped.
    public var readerMilliseconds: UInt64 = 60_000

    public init() {}
  }

  private let loop: Loop
  private let database: Database
  private let ids: IDSource
  private let pace: Pace
  private var streams: [LiveStreamID: LiveStream] = [:]
  private var streamsOf: [AccountID: [LiveStreamID]] = [:]
  private var lastNumber = 0
  private var journal = LiveJournal()
  private var timer: LoopTimer?
  private var isLooking = false
  private var isChecking = false
  private var isStopped = false
  /// When the last look was that succeeded, on the clock of the ids; nil while nobody listens.
  private var lookedMilliseconds: UInt64?
  private var checkedMilliseconds: UInt64 = 0

  /// Sessions that one statement looks at.
  private static let sessionsAtOnce = 1_000
  private static let retryAfterSeconds = 15

  public init(on loop: Loop, database: Database, ids: IDSource, pace: Pace = Pace()) {
    self.loop = loop
    self.database = database
    self.ids = ids
    self.pace = pace
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// How many streams are open.
  public var count: Int { streams.count }

  // MARK: Readers

  /// Begins a stream of what comes into the viewer's home feed.
  ///
  /// After a tweet that this node has not sent itself, some that another node had sent shortly before it may come again.
  /// Failures: `signedOut`, `overloaded`, `tooManyRequests`, `databaseUnavailable`.
  public func open(from start: LiveStart, as client: Client) async throws(Failure) -> LiveStreamID {
    let token = try client.presentedToken()
    let viewer = try await database.run(for: ReadAccount(token: token)).id
    guard streams.count < pace.streamsMax, !isStopped else { throw .overloaded }
    guard streamsOf[viewer, default: []].count < pace.streamsPerAccountMax else {
      throw .tooManyRequests(SpentLimit(rule: Limits.liveRule, retryAfterSeconds: Self.retryAfterSeconds))
    }
    let stream = LiveStream(viewer: viewer, token: token, isCatchingUp: start != .now, now: loop.nowMilliseconds)
    let id = add(stream)
    do throws(Failure) {
      if lookedMilliseconds == nil { try await begin() }
      switch start {
      case .now: break
      case .after(let last): try await catchUp(stream, after: last)
      case .unknown: stream.startOver(at: ids.next(), now: loop.nowMilliseconds)
      }
    } catch {
      close(id)
      throw error
    }
    return id
  }

  /// The next event of a stream, or nil when it has ended.
  public func next(_ id: LiveStreamID) async -> LiveEvent? {
    await streams[id]?.next(now: loop.nowMilliseconds)
  }

  /// Ends a stream whose reader has gone.
  public func close(_ id: LiveStreamID) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    streamsOf[stream.viewer]?.removeAll { $0 == id }
    if streamsOf[stream.viewer]?.isEmpty == true { streamsOf[stream.viewer] = nil }
    stream.end(now: loop.nowMilliseconds)
    guard streams.isEmpty else { return }
    timer = nil
    lookedMilliseconds = nil
  }

  /// Ends all streams; no more are opened.
  public func stop() {
    isStopped = true
    for id in Array(streams.keys) { close(id) }
  }

  private func add(_ stream: LiveStream) -> LiveStreamID {
    lastNumber += 1
    let id = LiveStreamID(number: lastNumber)
    streams[id] = stream
    streamsOf[stream.viewer, default: []].append(id)
    return id
  }

  private func catchUp(_ stream: LiveStream, after last: TweetID) async throws(Failure) {
    let start = start(before: last.millisecondsSinceEpoch)
    let missed = try await database.run(for: ReadFeedSince(token: stream.token, after: start))
    if let missed {
      // What the next look will find comes then, in its turn.
      let soon = self.start(before: lookedMilliseconds ?? 0)
      let unsent = missed.filter {
        $0.id != last && !journal.isKnown($0.id, before: last) && (journal.isSeen($0.id) || $0.id <= soon)
      }
      stream.catchUp(unsent, now: loop.nowMilliseconds)
    } else {
      stream.startOver(at: ids.next(), now: loop.nowMilliseconds)
    }
  }

  // MARK: Looking

  /// Notes what is there already, and begins to look.
  private func begin() async throws(Failure) {
    let now = wallMilliseconds
    let older = try await database.run(ReadNewTweetIDs(after: start(before: now), limit: LiveJournal.tweetsMax))
    guard lookedMilliseconds == nil, !isStopped else { return }
    journal.noteOlder(older)
    lookedMilliseconds = now
    timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.tick() } }
    timer?.start(afterMilliseconds: pace.lookMilliseconds, everyMilliseconds: pace.lookMilliseconds)
  }

  private func tick() {
    if !isLooking {
      isLooking = true
      Task(executorPreference: loop) { await self.look() }
    }
    guard !isChecking, loop.nowMilliseconds >= checkedMilliseconds + pace.sessionsMilliseconds else { return }
    isChecking = true
    checkedMilliseconds = loop.nowMilliseconds
    Task(executorPreference: loop) { await self.checkSessions() }
    beat()
  }

  /// A look that fails is made good by the next one, which goes back to the last that did not.
  private func look() async {
    defer { isLooking = false }
    guard let looked = lookedMilliseconds else { return }
    let now = wallMilliseconds
    guard
      let found = try? await database.run(ReadNewTweetIDs(after: start(before: looked), limit: LiveJournal.tweetsMax))
    else { return }
    let fresh = journal.unseen(found)
    if fresh.count > pace.tweetsMax || found.count == LiveJournal.tweetsMax {
      journal.noteOlder(fresh)
      for stream in streams.values { stream.startOver(at: ids.next(), now: loop.nowMilliseconds) }
    } else if !fresh.isEmpty {
      guard await deliver(fresh) else { return }
    }
    if lookedMilliseconds != nil { lookedMilliseconds = now }
  }

  /// False: the database did not answer, and nobody was sent anything.
  private func deliver(_ fresh: [TweetID]) async -> Bool {
    guard let tweets = try? await database.run(ReadLiveTweets(ids: fresh)) else { return false }
    let authors = Set(tweets.map(\.author.id))
    let statement = ReadAudience(authors: Array(authors), viewers: Array(streamsOf.keys))
    guard let audience = try? await database.run(statement) else { return false }
    for tweet in tweets {
      for viewer in audience[tweet.author.id, default: []] + [tweet.author.id] {
        for id in streamsOf[viewer, default: []] {
          streams[id]?.add(.tweet(tweet), place: tweet.id, now: loop.nowMilliseconds)
        }
      }
    }
    journal.note(fresh)
    return true
  }

  private func checkSessions() async {
    defer { isChecking = false }
    let all = Array(streams)
    for start in stride(from: 0, to: all.count, by: Self.sessionsAtOnce) {
      let some = all[start..<min(start + Self.sessionsAtOnce, all.count)]
      let statement = ReadEndedSessions(tokens: some.map(\.value.token))
      guard let ended = try? await database.run(statement) else { return }
      for place in ended { some[start + place].value.end(.signedOut, now: loop.nowMilliseconds) }
    }
  }

  private func beat() {
    let now = loop.nowMilliseconds
    for (id, stream) in streams {
      let idle = now - stream.readMilliseconds
      if stream.hasReader {
        if idle >= pace.beatMilliseconds { stream.add(.beat, place: ids.next(), now: now) }
      } else if idle >= pace.readerMilliseconds {
        close(id)
      }
    }
  }

  private func start(before milliseconds: UInt64) -> TweetID {
    .first(atMillisecondsSinceEpoch: milliseconds - min(milliseconds, pace.overlapMilliseconds))
  }

  /// The clock that tweets' ids are made by.
  private var wallMilliseconds: UInt64 { (ids.next() as TweetID).millisecondsSinceEpoch }
}
