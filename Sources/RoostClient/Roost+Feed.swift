public import RoostAPI

extension Roost {
  /// The home feed: the newest page, then live what comes into it. See ``Feed`` for its older pages.
  ///
  /// `limit` is the number of tweets in a page, 1 to 100; 20 when it is not given.
  public func feed(limit: Int? = nil) -> Feed {
    Feed(self, limit: limit)
  }

  /// Everybody's tweets, newest first.
  public func explore(limit: Int? = nil) -> Pages<Tweet> {
    Pages(self, .explore, limit: limit)
  }
}
