import CUV

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Starts other programs, with libuv's `uv_spawn` on a loop made for that one call.
///
/// A child gets default signal handling, the given environment and nothing else of this process: every descriptor
/// beyond the standard three is closed in it. These calls block and belong on no event loop.
public enum ChildProcess {
  /// Whom a child runs as. It is in no group but `groupID`. Only root can start one as somebody else.
  public struct User: Sendable, Equatable {
    public let userID: UInt32
    public let groupID: UInt32

    public init(userID: UInt32, groupID: UInt32) {
      self.userID = userID
      self.groupID = groupID
    }
  }

  /// How a child ended: with an exit status, or by a signal (0 for none), and the start of what it wrote to its
  /// standard output and standard error, as one text.
  public struct Outcome: Sendable {
    public let status: Int
    public let signal: Int
    public let output: String

    /// Whether it ended by itself, with status 0.
    public var succeeded: Bool { status == 0 && signal == 0 }
  }

  /// Why there is no outcome.
  public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    case notStarted(executable: String, reason: String)
    /// It was killed, since it had not ended in time.
    case timedOut(executable: String, milliseconds: Int)

    public var description: String {
      switch self {
      case .notStarted(let executable, let reason): "\(executable) could not be started: \(reason)"
      case .timedOut(let executable, let milliseconds): "\(executable) had not ended after \(milliseconds) ms"
      }
    }
  }

  /// Runs a program to its end. `input` is what it reads from its standard input.
  ///
  /// `folder` is where it runs; `/` by default, which every user can enter.
  public static func run(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], as user: User? = nil,
    folder: String = "/", input: String = "", outputBytesMax: Int = 64 * 1024, timeoutMilliseconds: Int
  ) throws(Failure) -> Outcome {
    // Files, not pipes: a grandchild that keeps the output open cannot hold us up, and nobody has to pump.
    guard let stdin = tmpfile(), let stdout = tmpfile() else {
      throw .notStarted(executable: executable, reason: "no temporary file: " + String(cString: strerror(errno)))
    }
    defer {
      fclose(stdin)
      fclose(stdout)
    }
    fputs(input, stdin)
    rewind(stdin)
    let spawned = Spawned()
    defer { spawned.close() }
    let result = spawned.start(
      executable, arguments, environment, user, folder, stdio: [fileno(stdin), fileno(stdout), fileno(stdout)],
      detached: false)
    guard result == 0 else { throw .notStarted(executable: executable, reason: String(cString: uv_strerror(result))) }
    guard spawned.wait(milliseconds: timeoutMilliseconds) else {
      throw .timedOut(executable: executable, milliseconds: timeoutMilliseconds)
    }
    var bytes = [UInt8](repeating: 0, count: outputBytesMax)
    let count = max(0, pread(fileno(stdout), &bytes, outputBytesMax, 0))
    return Outcome(
      status: Int(spawned.exitStatus), signal: Int(spawned.exitSignal),
      output: String(decoding: bytes.prefix(count), as: UTF8.self))
  }

  /// Starts a program that outlives this process, in a session of its own: no Ctrl-C of our terminal reaches it.
  ///
  /// Its standard input is the descriptor `input`, else empty; it writes to the descriptor `output`. Answers its process
  /// id, for ``hasEnded(_:)``.
  public static func startDetached(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], as user: User? = nil,
    folder: String = "/", input: Int32? = nil, output: Int32
  ) throws(Failure) -> Int32 {
    let spawned = Spawned()
    defer { spawned.close() }
    let result = spawned.start(
      executable, arguments, environment, user, folder, stdio: [input, output, output], detached: true)
    guard result == 0 else { throw .notStarted(executable: executable, reason: String(cString: uv_strerror(result))) }
    return spawned.processID
  }

  /// Whether no process of this id is left. Reaps it if it is a child of this process that has ended.
  public static func hasEnded(_ processID: Int32) -> Bool {
    var status: Int32 = 0
    switch waitpid(processID, &status, WNOHANG) {
    case processID: return true
    case 0: return false
    default: return kill(processID, 0) != 0 && errno == ESRCH
    }
  }
}
