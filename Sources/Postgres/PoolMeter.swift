public import Metrics

/// What has happened in a pool so far, for metrics: to its reads, or to its writes.
public final class PoolMeter: Sendable {
  /// Statements that were under way on the connection which one more joined, that one included.
  public let depths = Histogram(.counts)
  /// How long statements waited for a connection, those that had to; exact to a millisecond or two.
  public let waits = Histogram()
  /// Statements that were accepted.
  public let accepted = Counter()
  /// Statements that were refused, since too many were waiting or under way.
  public let refused = Counter()
  /// Connections that were lost.
  public let lost = Counter()

  init() {}
}
