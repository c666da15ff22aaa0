#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An advisory `flock` on a file. The kernel lets go of it when the process ends, however it ends.
final class FileLock: Sendable {
  enum Mode { case shared, exclusive }

  let descriptor: Int32

  /// Opens the file, without any lock yet.
  init(_ path: String) throws(LocalClusterError) {
    // Children keep no lock alive unless they are handed the descriptor.
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, reason: ClusterFolder.lastError) }
  }

  deinit { close(descriptor) }

  /// Takes the lock, or turns one mode into the other; false when another process is in the way.
  ///
  /// A shared lock may be lost when it cannot be turned into an exclusive one.
  func take(_ mode: Mode) -> Bool {
    flock(descriptor, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
  }

  /// Takes the lock as soon as others let go; false when they do not within `waitMilliseconds`.
  func take(_ mode: Mode, waitMilliseconds: Int) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(waitMilliseconds)
    while !take(mode) {
      if ContinuousClock.now > deadline { return false }
      sleepMilliseconds(10)
    }
    return true
  }
}

/// Blocks the thread.
func sleepMilliseconds(_ milliseconds: Int) {
  var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
  nanosleep(&time, nil)
}
