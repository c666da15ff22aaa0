public import Store
public import Values

/// Where an account is signed in.
public struct Sessions: Sendable {
  private let database: Database
  private let ids: IDSource

  public init(database: Database, ids: IDSource) {
    self.database = database
    self.ids = ids
  }

  /// The sessions that are good now, newest first.
  public func list(_ client: Client) async throws(Failure) -> [ListedSession] {
    try await database.run(for: ListSessions(token: try client.presentedToken()))
  }

  /// Ends one of one's own sessions, also the one that asks. Failures: `signedOut`, `notFound`.
  public func end(_ id: SessionID, as client: Client) async throws(Failure) {
    let isEnded = try await database.run(
      for: EndOneSession(token: try client.presentedToken(), id: id, stamp: client.stamp(ids)))
    guard isEnded else { throw .notFound }
  }

  /// Ends all of one's own sessions but the one that asks.
  public func endOthers(as client: Client) async throws(Failure) {
    _ = try await database.run(for: EndOtherSessions(token: try client.presentedToken(), stamp: client.stamp(ids)))
  }
}
