import Dispatch
import Synchronization
import TestSupport
import Testing

/// Runs each test of a suite on a thread of its own, a few at a time: these tests wait for sockets and processes, and
/// must not take the threads of Swift's pool, of which there are no more than cores, from the other tests.
struct OnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard !test.isSuite else { return try await function() }
    await Places.shared.enter()
    let thread = ThreadExecutor()
    let result: Result<Void, any Error> = await withTaskExecutorPreference(thread) {
      do { return .success(try await function()) } catch { return .failure(error) }
    }
    thread.end()
    await Places.shared.leave()
    try result.get()
  }
}

extension Trait where Self == OnThreads {
  static var onThreads: Self { OnThreads() }
}

/// How many such tests run at once: each has servers of its own.
private actor Places {
  static let shared = Places(4)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func enter() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// One thread as a task executor.
private final class ThreadExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob?]>([])
  private let signal = DispatchSemaphore(value: 0)

  init() {
    inBackground { [self] in
      while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

  /// Lets the thread end once it has worked off what there is.
  func end() { add(nil) }

  private func add(_ job: UnownedJob?) {
    jobs.withLock { $0.append(job) }
    signal.signal()
  }

  private func next() -> UnownedJob? {
    signal.wait()
    return jobs.withLock { $0.removeFirst() }
  }
}
