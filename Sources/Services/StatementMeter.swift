public import Metrics
import Postgres

/// How long statements took, from their submission to their answer, and how they failed, on one loop.
public final class StatementMeter: Sendable {
  /// Reads that were answered.
  public let reads = Histogram()
  /// Writes that were committed.
  public let writes = Histogram()
  /// Statements that failed since the database did not answer, or not in time.
  public let unavailable = Counter()
  /// Those that failed since too many were waiting or under way.
  public let overloaded = Counter()
  /// Those that PostgreSQL refused for a mistake of ours.
  public let refused = Counter()

  init() {}

  func note(_ effect: StatementEffect, _ microseconds: Int) {
    (effect == .reads ? reads : writes).note(microseconds)
    RequestCost.current?.noteStatement(microseconds)
  }

  func note(_ effect: StatementEffect, _ microseconds: Int, failedFor failure: Failure) {
    RequestCost.current?.noteStatement(microseconds)
    switch failure {
    case .databaseUnavailable: unavailable.add()
    case .overloaded: overloaded.add()
    case .internalError: refused.add()
    default: (effect == .reads ? reads : writes).note(microseconds)
    }
  }
}
