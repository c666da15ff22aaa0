internal import Synchronization

/// A number that only grows. Counting is one atomic addition, from any thread.
public final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  public init() {}

  /// Counts one more, or so many.
  public func add(_ number: Int = 1) { count.wrappingAdd(number, ordering: .relaxed) }

  /// How many so far.
  public var value: Int { count.load(ordering: .relaxed) }
}
