import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Holds a thread until the test lets it go.
final class Gate: Sendable {
  private let isOpen = Atomic(false)

  func open() { isOpen.store(true, ordering: .releasing) }

  func wait() {
    while !isOpen.load(ordering: .acquiring) { usleep(100) }
  }
}

/// Waits for something another thread is about to do.
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
