import Log

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A migrator's: how long it has been waiting for locks that others hold, and when that is enough.
struct Patience {
  /// Between two lines of the log that say so.
  private static let quietSeconds = 5

  private let secondsMax: Int
  private let log: Log
  private let started = ContinuousClock.now
  private var saidSeconds = 0

  init(secondsMax: Int, log: Log) {
    self.secondsMax = secondsMax
    self.log = log
  }

  /// Waits, unless that would be too long in all.
  mutating func wait(milliseconds: Int) throws(MigrationError) {
    let seconds = Int((ContinuousClock.now - started) / .seconds(1))
    guard seconds < secondsMax else { throw .lockedOut(seconds: seconds) }
    if seconds >= saidSeconds + Self.quietSeconds {
      log.info("migration_waits_for_lock", ["waitedSeconds": .number(seconds)])
      saidSeconds = seconds
    }
    usleep(UInt32(milliseconds) * 1000)
  }
}
