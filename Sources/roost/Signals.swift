import CUV
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits for SIGTERM and SIGINT (Ctrl-C) on a thread of its own.
///
/// The first asks for an orderly end: `isStopRequested` becomes true, and what `onStop` was given is called, once, on
/// that thread. The second ends the process at once. Children do not inherit any of this.
final class Signals: Sendable {
  private enum Stage {
    case waiting(onStop: OnStop?)
    case stopping(signal: Int32)
  }

  /// Told which signal it was.
  typealias OnStop = @Sendable (_ signal: Int32) -> Void

  private let stage = Mutex(Stage.waiting(onStop: nil))

  /// Begins to wait. For one object in the life of the process, which keeps it.
  init() {
    let listener = Unmanaged.passRetained(self)
    startThread {
      let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
      uv_loop_init(loop)
      for signal in [SIGTERM, SIGINT] { Self.watch(signal, on: loop, for: listener) }
      uv_run(loop, UV_RUN_DEFAULT)
    }
  }

  var isStopRequested: Bool {
    stage.withLock { if case .stopping = $0 { true } else { false } }
  }

  /// What to do at the first signal; at once when it has come already.
  func onStop(_ body: @escaping OnStop) {
    let received: Int32? = stage.withLock { stage in
      if case .stopping(let signal) = stage { return signal }
      stage = .waiting(onStop: body)
      return nil
    }
    if let received { body(received) }
  }

  private func receive(_ signal: Int32) {
    let body = stage.withLock { stage in
      guard case .waiting(let body) = stage else { _exit(128 + signal) }
      stage = .stopping(signal: signal)
      return body
    }
    body?(signal)
  }

  private static func watch(
    _ signal: Int32, on loop: UnsafeMutablePointer<uv_loop_t>, for listener: Unmanaged<Signals>
  ) {
    let watcher = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
    uv_signal_init(loop, watcher)
    watcher.pointee.data = listener.toOpaque()
    uv_signal_start(
      watcher,
      { watcher, signal in
        guard let data = watcher?.pointee.data else { return }
        Unmanaged<Signals>.fromOpaque(data).takeUnretainedValue().receive(signal)
      }, signal)
  }
}
