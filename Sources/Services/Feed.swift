public import Store

/// The home feed.
public struct Feed: Sendable {
  private let database: Database

  public init(database: Database) { self.database = database }

  /// A page of the viewer's home feed, newest first.
  public func home(_ page: Page, as client: Client) async throws(Failure) -> Listed<TweetRow> {
    try await database.run(for: ReadFeed(token: try client.presentedToken(), page: page))
  }
}
