public import Store

/// What a node can tell of the service as a whole, for metrics.
public struct Observation: Sendable {
  private let database: Database

  public init(database: Database) { self.database = database }

  /// Nil while the database does not answer.
  public func statistics() async -> ReadStatistics.Statistics? {
    try? await database.run(ReadStatistics())
  }
}
