import Values

/// Which tweets a node has seen come in, and in which order: their ids alone do not tell, since one that is written
/// later may be committed first.
struct LiveJournal {
  private var places: [TweetID: Int] = [:]
  private var order: [TweetID] = []
  private var next = 0

  /// So many are remembered; the oldest half goes when there are twice as many.
  static let tweetsMax = 20_000

  func isSeen(_ id: TweetID) -> Bool { places[id] != nil }

  /// Those of `ids` that have not been seen yet.
  func unseen(_ ids: [TweetID]) -> [TweetID] {
    ids.filter { places[$0] == nil }
  }

  /// Notes what has been delivered to whoever wanted it.
  mutating func note(_ ids: [TweetID]) {
    for id in ids where places[id] == nil {
      places[id] = next
      next += 1
      order.append(id)
    }
    shorten()
  }

  /// Notes what was there before anybody listened here. When it came, nobody can say.
  mutating func noteOlder(_ ids: [TweetID]) {
    for id in ids where places[id] == nil {
      places[id] = .max
      order.append(id)
    }
    shorten()
  }

  /// Whether everybody who was sent `place` had been sent `id` before, if it was for them.
  func isKnown(_ id: TweetID, before place: TweetID) -> Bool {
    guard let last = places[place], last != .max, let first = places[id] else { return false }
    return first < last
  }

  private mutating func shorten() {
    guard order.count >= 2 * Self.tweetsMax else { return }
    for id in order.prefix(Self.tweetsMax) { places[id] = nil }
    order.removeFirst(Self.tweetsMax)
  }
}
