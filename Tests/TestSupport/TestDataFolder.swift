import EventLoop

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A data folder for one test of a private cluster. What runs in it is stopped, and all of it removed, with the object.
public final class TestDataFolder: Sendable {
  public let path: String
  private let top: String

  /// `below` adds folders to the path, which are not made.
  public init(below: String = "") throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/cluster.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ChildProcess.Failure.notStarted(executable: "mkdtemp", reason: parent)
    }
    top = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The cluster's user is another one when root runs the tests.
    chmod(top, 0o711)
    path = top + below
  }

  deinit {
    if let pid = serverProcessID {
      kill(pid, SIGQUIT)
      for _ in 0..<1000 where !ChildProcess.hasEnded(pid) { usleep(5000) }
    }
    _ = try? ChildProcess.run("/bin/rm", ["-rf", top], timeoutMilliseconds: 30_000)
  }

  /// What `postmaster.pid` says.
  public var serverProcessID: Int32? {
    contents("postgres/postmaster.pid").flatMap { Int32($0.prefix { $0.isNumber }) }
  }

  /// The text of a file below the data folder.
  public func contents(_ name: String) -> String? {
    guard let file = fopen(path + "/" + name, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024 * 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Replaces the text of a file below the data folder; it keeps its owner.
  public func write(_ text: String, to name: String) {
    guard let file = fopen(path + "/" + name, "we") else { return }
    fputs(text, file)
    fclose(file)
  }
}
