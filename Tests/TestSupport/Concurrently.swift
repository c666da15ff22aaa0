#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs `body` on `count` threads of their own at once, with 0, 1, 2 and so on, and waits for all of them.
///
/// For calls that block: Swift's own pool has no more threads than the machine has cores.
public func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { index in
    let job = Unmanaged.passRetained(Job { body(index) }).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, nil, runJob, job)
    precondition(status == 0, "no thread")
    return thread
  }
  for thread in threads {
    #if canImport(Darwin)
      pthread_join(thread!, nil)
    #else
      pthread_join(thread, nil)
    #endif
  }
}

private final class Job {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func runJob(_ job: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body()
    return nil
  }
#else
  private func runJob(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<Job>.fromOpaque(job!).takeRetainedValue().body()
    return nil
  }
#endif
