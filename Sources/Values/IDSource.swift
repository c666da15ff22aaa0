import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes ids: UUIDs of version 7 (RFC 9562, section 5.7), each greater than the one before it in this process.
///
/// 48 bits of milliseconds, then 12 bits of the millisecond's fraction (section 6.2, method 3), then 62 random bits
/// of the system's generator. Nodes need not know of each other. When the clock stands still, goes back, or more
/// than one id falls into a step of 244 ns, the time part counts on from the last id, so that order is kept and the
/// time runs ahead of the clock by as little as possible.
public final class IDSource: Sendable {
  /// Milliseconds and fraction of the last id, 60 bits: a step is 1/4096 of a millisecond.
  private let last = Atomic<UInt64>(0)
  private let nanosecondsSinceEpoch: @Sendable () -> UInt64

  /// The clock answers nanoseconds since 1970.
  public init(clock nanosecondsSinceEpoch: @escaping @Sendable () -> UInt64 = IDSource.wallClock) {
    self.nanosecondsSinceEpoch = nanosecondsSinceEpoch
  }

  /// A new id, of the kind the context asks for. Safe from every thread.
  public func next<Tag>() -> ID<Tag> {
    let step = nextStep()
    let high = (step >> 12) << 16 | 0x7000 | step & 0xFFF
    let low = UInt64.random(in: 0...(.max >> 2)) | 1 << 63
    return ID(high: high, low: low)
  }

  private func nextStep() -> UInt64 {
    let nanoseconds = nanosecondsSinceEpoch()
    let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let now = milliseconds << 12 | (rest << 12) / 1_000_000
    var seen = last.load(ordering: .relaxed)
    while true {
      let step = max(now, seen + 1)
      let (exchanged, original) = last.weakCompareExchange(expected: seen, desired: step, ordering: .relaxed)
      if exchanged { return step }
      seen = original
    }
  }

  /// The system's clock of calendar time.
  public static func wallClock() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
