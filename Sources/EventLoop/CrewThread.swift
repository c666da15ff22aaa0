internal import CUV  // its header is the first here to declare pthread_attr_t

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One thread of a crew.
struct CrewThread: @unchecked Sendable {  // pthread_t is a pointer on macOS; it only names the thread
  /// Enough for Argon2, which keeps its memory on the heap.
  private static let stackBytes = 1 << 20
  /// What Linux takes, without the zero at the end.
  private static let nameBytesMax = 15

  private let handle: pthread_t

  init(name: String, niceness: Int, body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackBytes)

    let start = Unmanaged.passRetained(Start(name: name, niceness: niceness, body: body))
    #if canImport(Darwin)
      var created: pthread_t?
      let status = pthread_create(&created, &attributes, { Start.run($0) }, start.toOpaque())
      guard status == 0, let created else { fatalError("no thread for the crew: error \(status)") }
    #else
      var created = pthread_t()
      let status = pthread_create(&created, &attributes, { Start.run($0) }, start.toOpaque())
      guard status == 0 else { fatalError("no thread for the crew: error \(status)") }
    #endif
    handle = created
  }

  func join() { pthread_join(handle, nil) }
  func detach() { pthread_detach(handle) }

  /// What a new thread needs to know.
  private final class Start {
    let name: String
    let niceness: Int
    let body: @Sendable () -> Void

    init(name: String, niceness: Int, body: @escaping @Sendable () -> Void) {
      self.name = String(decoding: name.utf8.prefix(nameBytesMax), as: UTF8.self)
      self.niceness = niceness
      self.body = body
    }

    static func run(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let opaque else { return nil }
      let start = Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue()
      blockSignals()
      start.yieldToOthers()
      start.body()
      return nil
    }

    /// Signals are the main thread's business; here they would only interrupt system calls.
    private static func blockSignals() {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    private func yieldToOthers() {
      #if canImport(Darwin)
        pthread_setname_np(name)
        if niceness > 0 { pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0) }
      #else
        // Glibc hides pthread_setname_np from Swift; the kernel takes the name from this file too.
        let file = open("/proc/thread-self/comm", O_WRONLY)
        if file >= 0 {
          write(file, name, name.utf8.count)
          close(file)
        }
        // On Linux a nice value is a thread's own, and 0 is the calling thread.
        setpriority(CInt(PRIO_PROCESS.rawValue), 0, CInt(niceness))
      #endif
    }
  }
}
