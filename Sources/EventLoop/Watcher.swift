internal import CUV

/// Tells when a file descriptor can be read or written.
///
/// Made, used and dropped on its loop's thread only: it is not `Sendable`, and the closure runs there too. The
/// descriptor stays its owner's, who must ``cancel()`` before closing it.
public final class Watcher {
  /// What a descriptor is ready for, or is to be watched for.
  public struct Events: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let readable = Events(rawValue: Int32(UV_READABLE.rawValue))
    public static let writable = Events(rawValue: Int32(UV_WRITABLE.rawValue))
  }

  private let poll: UnsafeMutablePointer<uv_poll_t>
  private let onReady: (Events) -> Void
  private var watched: Events = []
  private var isCancelled = false

  /// Begins to watch `descriptor`; nil when libuv refuses it (not a socket or a pipe, or too many).
  public init?(on loop: Loop, descriptor: Int32, events: Events, onReady: @escaping (Events) -> Void) {
    poll = .allocate(capacity: 1)
    self.onReady = onReady
    guard uv_poll_init(loop.handle, poll, descriptor) == 0 else {
      poll.deallocate()
      isCancelled = true
      return nil
    }
    poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    watch(events)
  }

  /// Changes what is watched for.
  public func watch(_ events: Events) {
    guard !isCancelled, events != watched else { return }
    watched = events
    uv_poll_start(poll, events.rawValue) { poll, status, ready in
      guard let watcher = poll?.pointee.data.map({ Unmanaged<Watcher>.fromOpaque($0).takeUnretainedValue() }) else {
        return
      }
      // An error (the peer is gone) is for the owner to find: its next read or write says what happened.
      watcher.onReady(status < 0 ? [.readable, .writable] : Events(rawValue: ready))
    }
  }

  /// Stops watching. Nothing is called afterwards.
  public func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    uv_poll_stop(poll)
    poll.pointee.data = nil
    uv_close(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)) { closed in closed?.deallocate() }
  }

  deinit { cancel() }
}
