#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A point of a clock that never goes back, for times that are counted on every request: `Duration` divides 128 bits for
/// its microseconds, which costs more than the counting.
public struct Moment: Sendable {
  private let nanoseconds: UInt64

  /// Now.
  public static var now: Moment { Moment(nanoseconds: reading()) }

  /// How long ago it was.
  public var microsecondsSince: Int { microseconds(until: .now) }

  /// From this moment to a later one.
  public func microseconds(until later: Moment) -> Int {
    later.nanoseconds > nanoseconds ? Int((later.nanoseconds - nanoseconds) / 1_000) : 0
  }

  private static func reading() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
