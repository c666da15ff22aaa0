public import Store

/// The lists of tweets by many: the home feed, and everybody's.
public struct Feed: Sendable {
  private let database: Database

  public init(database: Database) { self.database = database }

  /// A page of the viewer's home feed, newest first.
  public func home(_ page: Page<TweetRow>, as client: Client) async throws(Failure) -> Listed<TweetRow> {
    try await database.run(for: ReadFeed(token: try client.presentedToken(), page: page))
  }

  /// A page of everybody's tweets, newest first.
  public func explore(_ page: Page<TweetRow>, as client: Client) async throws(Failure) -> Listed<TweetRow> {
    try await database.run(for: ReadExplore(token: try client.presentedToken(), page: page))
  }
}
