#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system says of this process. Linux alone tells memory and the start.
struct ProcessFigures {
  /// Time of processors, that of the kernel for it included.
  var cpuMicroseconds = 0
  var openDescriptors = 0
  var descriptorsMax = 0
  var residentBytes: Int?
  var virtualBytes: Int?
  /// Since 1970.
  var startedMicroseconds: Int?

  /// As they are now.
  init() {
    var usage = rusage()
    if getrusage(ownUsage, &usage) == 0 {
      cpuMicroseconds = Self.microseconds(usage.ru_utime) + Self.microseconds(usage.ru_stime)
    }
    descriptorsMax = Descriptors.limit ?? 0
    openDescriptors = Self.countDescriptors()
    #if os(Linux)
      readProc()
    #endif
  }

  private static func microseconds(_ time: timeval) -> Int { Int(time.tv_sec) * 1_000_000 + Int(time.tv_usec) }

  private static func countDescriptors() -> Int {
    guard let folder = opendir("/dev/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
    }
    // One of them is the folder's own.
    return max(0, count - 1)
  }

  #if os(Linux)
    /// See proc(5): what follows the name of the program in `stat`, whose end is the last bracket.
    private mutating func readProc() {
      guard let status = Self.text(of: "/proc/self/stat"), let bracket = status.lastIndex(of: ")") else { return }
      let fields = status[status.index(after: bracket)...].split(separator: " ")
      guard fields.count > 21 else { return }
      virtualBytes = Int(fields[20])
      residentBytes = Int(fields[21]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
      let boot = Self.text(of: "/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
      if let boot = boot.flatMap({ Int($0.dropFirst(6)) }), let ticks = Int(fields[19]) {
        startedMicroseconds = boot * 1_000_000 + ticks * 1_000_000 / sysconf(Int32(_SC_CLK_TCK))
      }
    }

    private static func text(of path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 16_384)
      while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
      return String(decoding: bytes, as: UTF8.self)
    }
  #endif
}

#if canImport(Darwin)
  private let ownUsage = RUSAGE_SELF
#else
  private let ownUsage = RUSAGE_SELF.rawValue
#endif
