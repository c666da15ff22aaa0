public import RoostAPI

/// The tweets that a screen shows, newest first, each once, however often and in whatever order they come.
///
/// ```swift
/// for try await update in roost.feed() { timeline.apply(update) }
/// ```
public struct Timeline: Sendable, Equatable {
  /// Newest first.
  public private(set) var tweets: [Tweet] = []
  /// Where the next older page begins; nil when there is none.
  public private(set) var next: String?

  public init() {}

  /// Does what an update of a ``Feed`` says.
  public mutating func apply(_ update: Feed.Element) {
    switch update {
    case .page(let page):
      tweets = []
      add(page)
    case .tweet(let tweet): add(tweet)
    }
  }

  /// Adds an older page.
  public mutating func add(_ page: Page<Tweet>) {
    for tweet in page.items { add(tweet) }
    next = page.next
  }

  /// Adds a tweet where its time is, or puts it in the place of an older copy of itself.
  public mutating func add(_ tweet: Tweet) {
    // Ids sort by time.
    let place = tweets.firstIndex { $0.id <= tweet.id } ?? tweets.endIndex
    if place < tweets.endIndex, tweets[place].id == tweet.id {
      tweets[place] = tweet
    } else {
      tweets.insert(tweet, at: place)
    }
  }

  /// Takes a tweet away, if it is there.
  public mutating func remove(_ id: String) {
    tweets.removeAll { $0.id == id }
  }
}
