internal import Synchronization

/// How often what took how long: a cumulative histogram as Prometheus wants it, with fixed bounds.
public final class Histogram: Sendable {
  /// The upper bounds of the buckets, in microseconds: 100 µs to 10 s, about three for each power of ten.
  public static let boundsMicroseconds = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    10_000_000,
  ]

  /// One for each bound, and one for what took longer.
  private let buckets = (0...Histogram.boundsMicroseconds.count).map { _ in Counter() }
  private let sum = Counter()

  public init() {}

  /// Notes one that took so long.
  public func note(microseconds: Int) {
    let place = Self.boundsMicroseconds.firstIndex { microseconds <= $0 } ?? Self.boundsMicroseconds.count
    buckets[place].add()
    sum.add(microseconds)
  }

  /// What has been noted so far.
  public var snapshot: Snapshot {
    Snapshot(counts: buckets.map(\.value), sumMicroseconds: sum.value)
  }

  /// Counts of the buckets, not cumulative, and the sum of all.
  public struct Snapshot: Sendable, Equatable {
    public var counts: [Int]
    public var sumMicroseconds: Int

    /// Both together: of two loops for instance.
    public static func + (left: Self, right: Self) -> Self {
      Snapshot(
        counts: zip(left.counts, right.counts).map { $0 + $1 },
        sumMicroseconds: left.sumMicroseconds + right.sumMicroseconds)
    }
  }
}
