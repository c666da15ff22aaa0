#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a command talks to people: answers to standard output, complaints to standard error.
struct Console: Sendable {
  /// Prints a line, or several.
  let say: @Sendable (String) -> Void
  /// The same on standard error.
  let complain: @Sendable (String) -> Void

  /// The process's own.
  static let standard = Console(
    say: { write($0, to: STDOUT_FILENO) },
    complain: { write($0, to: STDERR_FILENO) })

  private static func write(_ text: String, to descriptor: Int32) {
    var line = text + "\n"
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let wrote = systemWrite(descriptor, rest.baseAddress, rest.count)
        if wrote < 0, errno == EINTR { continue }
        if wrote <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[wrote...])
      }
    }
  }
}

#if canImport(Darwin)
  private let systemWrite = Darwin.write
#else
  private let systemWrite = Glibc.write
#endif
