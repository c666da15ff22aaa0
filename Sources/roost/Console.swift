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
  /// Writes to standard error without ending the line, to draw over it again; nil when that is no terminal.
  var draw: (@Sendable (String) -> Void)?

  /// The process's own.
  static let standard = Console(
    say: { write($0 + "\n", to: STDOUT_FILENO) },
    complain: { write($0 + "\n", to: STDERR_FILENO) }, draw: drawing)

  private static var drawing: (@Sendable (String) -> Void)? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    return { write($0, to: STDERR_FILENO) }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
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
