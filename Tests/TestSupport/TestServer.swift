import EventLoop
public import Postgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The `roost` program, serving on a port of its own for one test, and killed with the object.
///
/// The program is the one that `ROOST_TEST_BINARY` names. Unless a test says otherwise it hashes on one thread and logs
/// as JSON; nothing is taken from the environment but what any program needs.
public final class TestServer: Sendable {
  public let address: HTTPClient.Address
  public let process: TestServerProcess
  private let output: TestServerOutput
  /// What it stands on, kept for as long as it runs.
  private let foundation: (any AnyObject & Sendable)?

  public struct Trouble: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
  }

  /// How long a start may take; a new private cluster needs most of it on a busy machine.
  public static let startSecondsMax = 60

  /// Serves on a test's database. `descriptorsMax`: the system lets it open no more files, where it can be told so.
  public convenience init(
    _ database: TestDatabase, settings: [String: String] = [:], descriptorsMax: Int? = nil
  ) throws {
    let settings = ["DATABASE_URL": database.target.description].merging(settings) { $1 }
    try self.init(settings: settings, foundation: database, descriptorsMax: descriptorsMax)
  }

  /// Serves on a database that somebody else looks after.
  public convenience init(_ target: ConnectionTarget, settings: [String: String] = [:]) throws {
    try self.init(settings: ["DATABASE_URL": target.description].merging(settings) { $1 })
  }

  /// Serves on a private cluster in this folder.
  public convenience init(_ folder: TestDataFolder, settings: [String: String] = [:]) throws {
    try self.init(settings: ["DATA_DIR": folder.path].merging(settings) { $1 }, foundation: folder)
  }

  private init(
    settings: [String: String], foundation: (any AnyObject & Sendable)? = nil, descriptorsMax: Int? = nil
  ) throws {
    guard let binary = Self.environment("ROOST_TEST_BINARY") else {
      throw Trouble(description: "ROOST_TEST_BINARY names no program to test. Run `make test`, which builds one")
    }
    self.foundation = foundation
    output = try TestServerOutput()
    var environment = [
      "LISTEN": "127.0.0.1:0", "HASH_THREADS": "1", "LOG_FORMAT": "json", "SWIFT_BACKTRACE": "interactive=no,color=no",
    ]
    // The last one marks what `scripts/with-postgres` has to clean up.
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ROOST_TEST_RUN"] {
      environment[name] = Self.environment(name)
    }
    environment.merge(settings) { $1 }
    // The shell becomes the program, so that the process stays the same.
    let (program, words) =
      descriptorsMax.map { ("/bin/sh", ["-c", "ulimit -n \($0); exec \"$0\" serve", binary]) } ?? (binary, ["serve"])
    process = try TestServerProcess(program, words, environment: environment, output: output.descriptor)
    address = try Self.waitUntilServing(process, output)
  }

  deinit {
    process.send(.kill)
    _ = process.waitForEnd(milliseconds: 10_000)
  }

  /// A new client. What it fails at is told together with the end of the log.
  public func client(timeoutMilliseconds: Int = 15_000) -> HTTPClient {
    HTTPClient(address, timeoutMilliseconds: timeoutMilliseconds) { [weak self] in self?.lastWords ?? "" }
  }

  /// All that it has written, to standard output and standard error.
  public var log: String { output.text }

  /// The end of the log, and how the process ended if it did: for the messages of failed tests.
  public var lastWords: String { Self.lastWords(process, output) }

  /// Asks it to stop, and answers its exit status; see ``exitStatus(withinSeconds:)``.
  @discardableResult
  public func stop(_ signal: TestServerProcess.Signal = .terminate, withinSeconds: Int = 15) throws -> Int32 {
    process.send(signal)
    return try exitStatus(withinSeconds: withinSeconds)
  }

  /// Waits for its end. Fails when it is still there after `withinSeconds`, or was ended by a signal.
  public func exitStatus(withinSeconds: Int = 15) throws -> Int32 {
    switch process.waitForEnd(milliseconds: withinSeconds * 1_000) {
    case .exited(let status): return status
    case .killed: throw Trouble(description: lastWords)
    case nil: throw Trouble(description: "still there after \(withinSeconds) s\n\(lastWords)")
    }
  }

  /// Kills it as the kernel does when memory runs out, and waits until it is gone.
  public func kill() {
    process.send(.kill)
    _ = process.waitForEnd(milliseconds: 10_000)
  }

  private static func waitUntilServing(
    _ process: TestServerProcess, _ output: TestServerOutput
  ) throws -> HTTPClient.Address {
    let deadline = ContinuousClock.now + .seconds(startSecondsMax)
    while process.ending == nil, ContinuousClock.now < deadline {
      if let address = output.servingAddress { return address }
      usleep(2_000)
    }
    process.send(.kill)
    throw Trouble(description: "the server does not serve\n\(lastWords(process, output))")
  }

  private static func lastWords(_ process: TestServerProcess, _ output: TestServerOutput) -> String {
    let lines = output.text.split(separator: "\n").suffix(25).joined(separator: "\n")
    return "server \(process.processID), \(process.ending.map { "\($0)" } ?? "running"); its log ends:\n\(lines)"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
