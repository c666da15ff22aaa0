#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The time of day as RFC 3339 text, made anew once a second; in between only the milliseconds are set.
struct LogClock {
  private(set) var text: [UInt8] = []
  private var second: Int = .min

  mutating func tick() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    if now.tv_sec != second || text.isEmpty {
      second = now.tv_sec
      text.removeAll(keepingCapacity: true)
      RFC3339.append(millisecondsSinceEpoch: Int64(second) * 1000, to: &text)
    }
    let millisecond = now.tv_nsec / 1_000_000
    text[20] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond / 100)
    text[21] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond / 10 % 10)
    text[22] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond % 10)
  }
}
