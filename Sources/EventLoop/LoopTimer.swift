internal import CUV

/// Calls a closure on the loop's thread after a time, once or again and again.
///
/// Made, used and dropped on its loop's thread only.
public final class LoopTimer {
  private let timer: UnsafeMutablePointer<uv_timer_t>
  private let onFire: () -> Void
  private var isCancelled = false

  /// A timer that is not running yet.
  public init(on loop: Loop, onFire: @escaping () -> Void) {
    timer = .allocate(capacity: 1)
    self.onFire = onFire
    uv_timer_init(loop.handle, timer)
    timer.pointee.data = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Starts it, or starts it anew. `everyMilliseconds` 0: it fires once.
  public func start(afterMilliseconds: UInt64, everyMilliseconds: UInt64 = 0) {
    guard !isCancelled else { return }
    uv_timer_start(
      timer,
      { timer in
        guard let data = timer?.pointee.data else { return }
        Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue().onFire()
      }, afterMilliseconds, everyMilliseconds)
  }

  /// Stops it; it may be started again.
  public func stop() {
    guard !isCancelled else { return }
    uv_timer_stop(timer)
  }

  deinit {
    isCancelled = true
    uv_timer_stop(timer)
    timer.pointee.data = nil
    uv_close(UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self)) { closed in closed?.deallocate()
    }
  }
}

extension Loop {
  /// Milliseconds of a clock that never goes back, as of the start of this turn.
  public var nowMilliseconds: UInt64 { uv_now(handle) }
}
