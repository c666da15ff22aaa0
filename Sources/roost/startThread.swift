#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs `body` on a new thread, which ends with it. For the few threads that live as long as the process.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(Work(body: body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let result = pthread_create(
    &thread, nil,
    { argument in
      run(argument)
      return nil
    }, work)
  precondition(result == 0, "no thread: \(String(cString: strerror(result)))")
  #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The argument is optional on one system and not on the other.
private func run(_ argument: UnsafeMutableRawPointer?) {
  guard let argument else { return }
  Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
}
