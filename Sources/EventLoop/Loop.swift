internal import CUV
internal import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One thread, one libuv loop, and the serial executor of every actor that lives on it.
///
/// It is a task executor as well: a task with this preference comes back to the loop when it has been suspended. A
/// continuation resumes on the task's preferred executor, not on its actor's; without the preference each resumption
/// would pass through the global executor's threads.
///
/// An actor whose `unownedExecutor` is a loop runs all its code on that loop's thread. Actors that share a loop call
/// each other without a hop between threads (about 12 ns), and the compiler still checks their isolation (SE-0392).
///
/// Lifetime: from ``init()`` to the end of the process, or until ``run()`` has returned. One loop, one thread.
public final class Loop: SerialExecutor, TaskExecutor, @unchecked Sendable {  // uv_loop_t is for one thread
  let handle: UnsafeMutablePointer<uv_loop_t>
  private let wake: UnsafeMutablePointer<uv_async_t>
  /// While it is active, libuv looks for events without waiting for them.
  private let hurry: UnsafeMutablePointer<uv_idle_t>
  private let inbox = Mutex<[UnownedJob]>([])
  private var ready: [UnownedJob] = []
  private var running: [UnownedJob] = []
  private var turnEnds: [TurnEnd] = []
  /// Who runs it; 0 before anyone does. Other threads ask too, and any answer that is not themselves will do.
  private let thread = Atomic<UInt>(0)
  private var isTurnEndDue = false
  private var isPolling = false
  private var isHurried = false
  private let isStopping = Atomic(false)

  /// Work for the end of a turn, before the loop sleeps.
  public typealias TurnEnd = () -> Void

  /// A loop that does not run yet; what is enqueued waits for ``run()``. Ends the program when the system has no more
  /// descriptors.
  public init() {
    handle = .allocate(capacity: 1)
    wake = .allocate(capacity: 1)
    hurry = .allocate(capacity: 1)
    let opened = uv_loop_init(handle)
    precondition(opened == 0, "libuv could not open a loop: \(String(cString: uv_strerror(opened)))")
    let armed = uv_async_init(handle, wake) { _ in }
    precondition(armed == 0, "libuv could not arm a loop: \(String(cString: uv_strerror(armed)))")
    uv_idle_init(handle, hurry)
  }

  // MARK: SerialExecutor

  public func enqueue(_ job: UnownedJob) {
    if isCurrent {
      ready.append(job)
      doNotWait()
      return
    }
    let isFirst = inbox.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    if isFirst { uv_async_send(wake) }
  }

  /// Whether the caller is on the loop's own thread.
  public var isCurrent: Bool { thread.load(ordering: .relaxed) == Self.callingThread }

  private static var callingThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }

  public func checkIsolated() {
    precondition(isCurrent, "called from outside the loop's thread")
  }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  // MARK: Running

  /// Adds work for the end of each turn: sending what the turn has queued, for instance. Call it on the loop.
  ///
  /// Jobs that it makes run in the same turn, after which it is called again.
  public func onTurnEnd(_ body: @escaping TurnEnd) {
    turnEnds.append(body)
  }

  /// Asks for one more round of what ``onTurnEnd(_:)`` has added before the loop sleeps. Call it on the loop.
  public func requestTurnEnd() {
    isTurnEndDue = true
    doNotWait()
  }

  /// Work that comes up while libuv runs, in a timer's call-back for instance, is done before it waits for events.
  private func doNotWait() {
    guard isPolling, !isHurried else { return }
    isHurried = true
    uv_idle_start(hurry) { _ in }
  }

  /// Runs on the calling thread until ``stop()``; from now on that thread is the loop's.
  public func run() {
    thread.store(Self.callingThread, ordering: .relaxed)
    while !isStopping.load(ordering: .relaxed) {
      takeInbox()
      repeat {
        isTurnEndDue = false
        runReady()
        for turnEnd in turnEnds { turnEnd() }
      } while isTurnEndDue || !ready.isEmpty
      poll()
    }
  }

  /// Makes ``run()`` return at the end of this turn. May be called from any thread.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    uv_async_send(wake)
  }

  /// Waits for events and calls those who wait for them.
  private func poll() {
    isPolling = true
    uv_run(handle, UV_RUN_ONCE)
    isPolling = false
    guard isHurried else { return }
    isHurried = false
    uv_idle_stop(hurry)
  }

  private func takeInbox() {
    inbox.withLock { jobs in
      guard !jobs.isEmpty else { return }
      ready.append(contentsOf: jobs)
      jobs.removeAll(keepingCapacity: true)
    }
  }

  private func runReady() {
    let serial = asUnownedSerialExecutor()
    let task = asUnownedTaskExecutor()
    while !ready.isEmpty {
      swap(&ready, &running)
      for job in running { job.runSynchronously(isolatedTo: serial, taskExecutor: task) }
      running.removeAll(keepingCapacity: true)
    }
  }
}
