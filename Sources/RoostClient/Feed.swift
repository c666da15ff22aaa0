public import RoostAPI

/// The home feed of the one who is signed in.
///
/// It is a sequence of what a screen has to do: first the newest page comes, then each new tweet as it is written.
///
/// ```swift
/// for try await update in roost.feed() { timeline.apply(update) }
/// ```
///
/// Nothing is missed between the page and the tweets after it, and nothing comes twice. Older pages come on demand, by
/// ``older(before:)``, while the sequence goes on. ``pages`` is the feed without what is live, and ``live(after:)`` the
/// other way round.
public struct Feed: AsyncSequence, Sendable {
  /// What a screen that shows the feed has to do.
  public enum Element: Sendable, Equatable {
    /// Show this in place of what is there: the newest page. It comes first, and again when too much was missed.
    case page(Page<Tweet>)
    /// Show this on top.
    case tweet(Tweet)
  }

  /// The feed page by page, the newest first, without what is live.
  public let pages: Pages<Tweet>
  private let roost: Roost

  init(_ roost: Roost, limit: Int?) {
    self.roost = roost
    pages = Pages(roost, .feed, limit: limit)
  }

  /// The page that follows a page's `next`, for a screen that is scrolled down.
  public func older(before next: String) async throws(RoostError) -> Page<Tweet> {
    try await pages.page(before: next)
  }

  /// What comes into the feed from now on, or since the tweet of this id.
  public func live(after id: String? = nil) -> LiveFeed { LiveFeed(roost, after: id) }

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Goes through a feed, and holds its connection.
  public struct Iterator: AsyncIteratorProtocol {
    private let feed: Feed
    private var live: LiveFeed.Iterator?
    /// What the last page showed.
    private var shown: Set<String> = []

    /// A `Last-Event-ID` that names no tweet: the server says to load the page anew as soon as it listens.
    private static let beginning = "none"

    init(_ feed: Feed) { self.feed = feed }

    /// What comes next; nil when the task was cancelled. After an error it may be asked again.
    public mutating func next() async throws(RoostError) -> Feed.Element? {
      guard live != nil else {
        let page = try await feed.pages.page()
        shown = Set(page.items.map(\.id))
        // Not "from now on": that would miss what is written before the connection stands.
        live = feed.live(after: page.items.first?.id ?? Self.beginning).makeAsyncIterator()
        return .page(page)
      }
      while let event = try await live?.next() {
        switch event {
        case .tweet(let tweet): if !shown.contains(tweet.id) { return .tweet(tweet) }
        case .reload:
          let page = try await reloaded()
          guard let page else { return nil }
          shown = Set(page.items.map(\.id))
          return .page(page)
        }
      }
      return nil
    }

    /// The newest page, however long it takes; nil when the task was cancelled.
    private func reloaded() async throws(RoostError) -> Page<Tweet>? {
      var number = 0
      while !Task.isCancelled {
        do throws(RoostError) {
          return try await feed.pages.page()
        } catch {
          if error == .cancelled { return nil }
          guard error.isPassing else { throw error }
          try? await Task.sleep(for: feed.roost.pace.live.backOff(number))
          number += 1
        }
      }
      return nil
    }
  }
}
