import EventLoop
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server program as a child of the tests.
///
/// It does not outlive them: the kernel kills it when the thread that started it is gone, and that thread waits for as
/// long as the child lives. (macOS has no such thing; there `scripts/with-postgres` ends what is left.)
public final class TestServerProcess: Sendable {
  public enum Ending: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  public enum Signal: Sendable {
    case terminate, interrupt, kill

    var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .interrupt: SIGINT
      case .kill: SIGKILL
      }
    }
  }

  private struct State {
    var processID: Int32?
    var ending: Ending?
    var failure: ChildProcess.Failure?
  }

  private let state = Mutex(State())

  /// Starts it; it writes to the descriptor `output`, which stays the caller's to close.
  init(_ executable: String, _ arguments: [String], environment: [String: String], output: Int32) throws {
    inBackground { [self] in keep(executable, arguments, environment, output) }
    while state.withLock({ $0.processID == nil && $0.failure == nil }) { usleep(200) }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func keep(_ executable: String, _ arguments: [String], _ environment: [String: String], _ output: Int32) {
    do {
      let binder = "/usr/bin/setpriv"
      let isBindable = access(binder, X_OK) == 0
      let words = isBindable ? ["--pdeathsig", "KILL", executable] + arguments : arguments
      let processID = try ChildProcess.startDetached(
        isBindable ? binder : executable, words, environment: environment, output: output)
      state.withLock { $0.processID = processID }
      var information = siginfo_t()
      while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      // Under the lock, so that nobody signals an id that has become somebody else's.
      state.withLock { state in
        var status: Int32 = 0
        waitpid(processID, &status, 0)
        let signal = status & 0x7f
        state.ending = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  public var processID: Int32 { state.withLock { $0.processID ?? 0 } }

  /// How it ended; nil while it runs.
  public var ending: Ending? { state.withLock { $0.ending } }

  /// Sends a signal, unless it has ended.
  public func send(_ signal: Signal) {
    state.withLock { state in
      if state.ending == nil, let processID = state.processID { kill(processID, signal.number) }
    }
  }

  /// How it ended; nil when it still runs after that time.
  public func waitForEnd(milliseconds: Int) -> Ending? {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < deadline {
      if let ending { return ending }
      usleep(2_000)
    }
    return ending
  }

  /// Memory that it holds, in KiB; nil where the system does not say.
  public var residentKiB: Int? {
    guard let file = fopen("/proc/\(processID)/statm", "re") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 256)
    let count = fread(&line, 1, line.count, file)
    let words = String(decoding: line.prefix(count), as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return nil }
    return pages * Int(getpagesize()) / 1_024
  }

  /// Processor time that it has used, in milliseconds; nil where the system does not say.
  public var cpuMilliseconds: Int? {
    guard let file = fopen("/proc/\(processID)/stat", "re") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&line, 1, line.count, file)
    // The name, in parentheses, may hold blanks; the third field follows it.
    guard let end = line.prefix(count).lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = String(decoding: line[(end + 1)..<count], as: UTF8.self).split(separator: " ")
    guard words.count > 12, let user = Int(words[11]), let system = Int(words[12]) else { return nil }
    return (user + system) * 1_000 / Int(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// How many descriptors it has open; nil where the system does not say.
  public var descriptorCount: Int? {
    guard let folder = opendir("/proc/\(processID)/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }
}
