import CUV

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One `uv_process_t` and the loop that waits for it. ``close()`` is called once, at the end.
final class Spawned {
  private let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
  private let process = UnsafeMutablePointer<uv_process_t>.allocate(capacity: 1)
  private let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
  private(set) var exitStatus: Int64 = 0
  private(set) var exitSignal: Int32 = 0
  private var hasExited = false
  private var isOutOfTime = false

  init() {
    uv_loop_init(loop)
    uv_timer_init(loop, timer)
  }

  var processID: Int32 { process.pointee.pid }

  /// The descriptors of `stdio` become the child's 0, 1 and 2; nil is `/dev/null`. Answers 0 or an error of libuv.
  func start(
    _ executable: String, _ arguments: [String], _ environment: [String: String], _ user: ChildProcess.User?,
    _ folder: String, stdio: [Int32?], detached: Bool
  ) -> Int32 {
    Self.keepInheritedDescriptorsFromChildren()
    var containers = stdio.map { descriptor in
      var container = uv_stdio_container_t()
      container.flags = descriptor == nil ? UV_IGNORE : UV_INHERIT_FD
      container.data.fd = descriptor ?? -1
      return container
    }
    var options = uv_process_options_t()
    if detached { options.flags |= UV_PROCESS_DETACHED.rawValue }
    if let user {
      options.flags |= UV_PROCESS_SETUID.rawValue | UV_PROCESS_SETGID.rawValue
      options.uid = user.userID
      options.gid = user.groupID
    }
    options.exit_cb = { handle, status, signal in
      let spawned = Unmanaged<Spawned>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
      spawned.exitStatus = status
      spawned.exitSignal = signal
      spawned.hasExited = true
    }
    let words = CStrings([executable] + arguments)
    let variables = CStrings(environment.map { "\($0.key)=\($0.value)" })
    let path = CStrings([executable, folder])
    defer { withExtendedLifetime((words, variables, path)) {} }
    options.args = words.table
    options.env = variables.table
    options.file = UnsafePointer(path.table[0])
    options.cwd = UnsafePointer(path.table[1])
    options.stdio_count = Int32(containers.count)
    return containers.withUnsafeMutableBufferPointer { buffer in
      options.stdio = buffer.baseAddress
      let result = uv_spawn(loop, process, &options)
      process.pointee.data = Unmanaged.passUnretained(self).toOpaque()
      return result
    }
  }

  /// Waits for the end; kills the child and answers false when it comes later than `milliseconds`.
  func wait(milliseconds: Int) -> Bool {
    timer.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    let ranOut: uv_timer_cb = { handle in
      let spawned = Unmanaged<Spawned>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
      spawned.isOutOfTime = true
      uv_process_kill(spawned.process, SIGKILL)
    }
    uv_timer_start(timer, ranOut, UInt64(milliseconds), 0)
    while !hasExited { uv_run(loop, UV_RUN_ONCE) }
    return !isOutOfTime
  }

  /// Gives the handles back. A child that still runs goes on.
  func close() {
    for handle in [UnsafeMutableRawPointer(process), UnsafeMutableRawPointer(timer)] {
      let handle = handle.assumingMemoryBound(to: uv_handle_t.self)
      if uv_is_closing(handle) == 0 { uv_close(handle, nil) }
    }
    uv_run(loop, UV_RUN_DEFAULT)
    uv_loop_close(loop)
    process.deallocate()
    timer.deallocate()
    loop.deallocate()
  }

  /// What this process was given at its own start (a job server's pipe of make, for instance) is not marked to close on
  /// exec, and would stay open in a database that runs for weeks.
  private static func keepInheritedDescriptorsFromChildren() {
    for descriptor in Int32(3)..<256 {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
  }
}

/// Strings as the null-terminated array of C strings that `exec` takes.
private final class CStrings {
  let table: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    table = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { (table + index).initialize(to: strdup(string)) }
    (table + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(table[index]) }
    table.deallocate()
  }
}
