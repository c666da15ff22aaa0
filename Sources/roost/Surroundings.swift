#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// What a process finds around it: all that `ConfigReader` looks at besides flags.
struct Surroundings: Sendable {
  var environment: [String: String]
  var isRoot = false
  /// Whether standard output, which the server's log goes to, is a terminal.
  var isTerminal = false
  var cores = 1
  /// Where relative paths begin.
  var workingDirectory = "/"
  /// The text of a file, or why there is none.
  var contents: @Sendable (_ path: String) -> Result<String, FileTrouble>

  /// Why a file could not be read, in the words of the system.
  struct FileTrouble: Error, Equatable { let text: String }

  /// Where a private cluster lies by default.
  var dataDirectory: String {
    if isRoot { return "/var/lib/roost" }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/roost" }
    return "\(environment["HOME"] ?? workingDirectory)/.local/share/roost"
  }
}

extension Surroundings {
  /// The largest file that a `..._FILE` variable may name.
  static let fileBytesMax = 16 * 1024

  /// Those of this process.
  static func current() -> Surroundings {
    let directory = getcwd(nil, 0)
    defer { free(directory) }
    return Surroundings(
      environment: processEnvironment(),
      isRoot: geteuid() == 0,
      isTerminal: isatty(STDOUT_FILENO) == 1,
      cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      workingDirectory: directory.map { String(cString: $0) } ?? "/",
      contents: readFile)
  }

  private static func processEnvironment() -> [String: String] {
    #if canImport(Darwin)
      var entries = _NSGetEnviron().pointee
    #else
      var entries = Optional(environ)
    #endif
    var environment: [String: String] = [:]
    while let entry = entries, let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { environment[String(pair[0])] = String(pair[1]) }
      entries = entry + 1
    }
    return environment
  }

  private static func readFile(_ path: String) -> Result<String, FileTrouble> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(FileTrouble(text: String(cString: strerror(errno)))) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= fileBytesMax {
      var trouble: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        let got = read(descriptor, buffer.baseAddress, buffer.count)
        trouble = got < 0 ? errno : 0
        count = max(0, got)
      }
      if trouble == EINTR { continue }
      if trouble != 0 { return .failure(FileTrouble(text: String(cString: strerror(trouble)))) }
      if piece.isEmpty { break }
      bytes += piece
    }
    guard bytes.count <= fileBytesMax else {
      return .failure(FileTrouble(text: "it is longer than \(fileBytesMax) bytes"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failure(FileTrouble(text: "it is not UTF-8"))
    }
    return .success(text)
  }
}
