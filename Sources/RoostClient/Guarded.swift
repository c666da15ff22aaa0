#if canImport(os)
  import os
#else
  import Synchronization
#endif

/// A value behind a lock. `Mutex` would ask for iOS 18.
final class Guarded<Value: Sendable>: Sendable {
  #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>
    init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
  #else
    private let lock: Mutex<Value>
    init(_ value: Value) { lock = Mutex(value) }
  #endif

  func withLock<Result: Sendable>(_ body: @Sendable (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&$0) }
  }
}
