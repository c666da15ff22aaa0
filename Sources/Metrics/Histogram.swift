internal import Synchronization

/// How often what took how long, or was how many: a cumulative histogram as Prometheus wants it, with fixed bounds.
public final class Histogram: Sendable {
  /// What is measured, and where its buckets end.
  public enum Scale: Sendable {
    /// Microseconds, written as seconds: 100 µs to 10 s, about three bounds for each power of ten.
    case times
    /// How many: powers of two to 1,024.
    case counts

    /// The upper bounds of the buckets.
    public var bounds: [Int] { self == .times ? Self.microseconds : Self.powers }

    private static let microseconds = [
      100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
      10_000_000,
    ]
    private static let powers = (0...10).map { 1 << $0 }
  }

  private let scale: Scale
  private let bounds: [Int]
  /// One for each bound, and one for what was more.
  private let buckets: [Counter]
  private let sum = Counter()

  /// An empty one, of times or of how many.
  public init(_ scale: Scale = .times) {
    self.scale = scale
    bounds = scale.bounds
    buckets = (0...bounds.count).map { _ in Counter() }
  }

  /// Notes one that took so many microseconds, or was so many.
  public func note(_ value: Int) {
    let place = bounds.firstIndex { value <= $0 } ?? bounds.count
    buckets[place].add()
    sum.add(value)
  }

  /// What has been noted so far.
  public var snapshot: Snapshot {
    Snapshot(scale: scale, counts: buckets.map(\.value), sum: sum.value)
  }

  /// Counts of the buckets, not cumulative, and the sum of all.
  public struct Snapshot: Sendable, Equatable {
    public var scale: Scale
    public var counts: [Int]
    public var sum: Int

    /// Both together, of two loops for instance; they are of one scale.
    public static func + (left: Self, right: Self) -> Self {
      Snapshot(scale: left.scale, counts: zip(left.counts, right.counts).map { $0 + $1 }, sum: left.sum + right.sum)
    }
  }
}

extension Sequence<Histogram.Snapshot> {
  /// All of them together; there is at least one.
  public var together: Histogram.Snapshot {
    var all = makeIterator()
    guard var total = all.next() else { preconditionFailure("there is nothing to add") }
    while let next = all.next() { total = total + next }
    return total
  }
}
