#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs `body` on a thread of its own, and does not wait for it.
///
/// For work that blocks: Swift's own pool has no more threads than the machine has cores.
public func inBackground(_ body: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, nil, runWork, work)
    if let thread { pthread_detach(thread) }
  #else
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, runWork, work)
    if status == 0 { pthread_detach(thread) }
  #endif
  precondition(status == 0, "no thread")
}

/// Runs a call that blocks on a thread of its own, and waits for its answer without taking one of Swift's threads.
public func onThread<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    inBackground { continuation.resume(with: Result { try body() }) }
  }
}

private final class Work {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func runWork(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
    return nil
  }
#else
  private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
    return nil
  }
#endif
