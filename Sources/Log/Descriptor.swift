#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A descriptor that is written without ever blocking and that may be gone.
struct Descriptor {
  enum Outcome {
    /// So many bytes, at least one.
    case wrote(Int)
    /// Nothing can be taken now.
    case full
    /// Closed, or failing; the bytes are lost.
    case broken
  }

  let number: Int32

  /// Writes a first piece of `bytes`, which must not be empty; waits up to `waitMilliseconds` until it is taken.
  func write(_ bytes: Span<UInt8>, waitMilliseconds: Int32) -> Outcome {
    // `poll` promises room for PIPE_BUF bytes, so that even a blocking descriptor does not block. It is not made
    // non-blocking itself: that would reach everybody who shares the terminal or the pipe.
    var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    let readyCount = poll(&ready, 1, waitMilliseconds)
    if readyCount == 0 { return .full }
    if readyCount < 0 { return outcome(of: errno) }
    if ready.revents & Int16(POLLERR | POLLHUP) != 0 { return .broken }
    let wrote = bytes.extracting(first: Int(PIPE_BUF)).withUnsafeBytes { write($0) }
    if wrote > 0 { return .wrote(wrote) }
    return wrote == 0 ? .full : outcome(of: errno)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(number, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(number, bytes.baseAddress, bytes.count)
    #endif
  }

  private func outcome(of error: Int32) -> Outcome {
    error == EINTR || error == EAGAIN || error == EWOULDBLOCK ? .full : .broken
  }
}
