public import Store

/// Where an account is signed in.
public struct Sessions: Sendable {
  private let database: Database

  public init(database: Database) { self.database = database }

  /// The sessions that are good now, newest first.
  public func list(_ client: Client) async throws(Failure) -> [ListedSession] {
    try await database.run(for: ListSessions(token: try client.presentedToken()))
  }
}
