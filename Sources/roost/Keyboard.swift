#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What people type into a command that is running. A secret is never an argument: every user of the machine could read
/// it there.
enum Keyboard {
  private static let lineBytesMax = 8_192

  /// A password: typed twice without being shown, or the first line of standard input when that is no terminal. Nil when
  /// there is none, or the two are not the same.
  static func password(_ console: Console) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return line() }
    console.complain("New password (it is not shown):")
    guard let first = withoutEcho({ line() }) else { return nil }
    console.complain("Once more:")
    return withoutEcho { line() } == first ? first : nil
  }

  /// Whether the person at the terminal types the name; never without a terminal.
  static func confirms(_ name: String, _ console: Console) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    console.complain("This deletes the account with all that is its own. Type \(name) to go on:")
    return line() == name
  }

  /// Whether the person at the terminal types `yes`; never without a terminal.
  static func agrees(_ words: String, _ console: Console) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    console.complain("\(words) Type yes to go on:")
    return line() == "yes"
  }

  /// One line without its end; nil at the end of the input, or when it is longer than any password, or not UTF-8.
  private static func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count <= lineBytesMax {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0, bytes.isEmpty { return nil }
      if count <= 0 || byte == UInt8(ascii: "\n") {
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
      }
      bytes.append(byte)
    }
    return nil
  }

  /// What is typed meanwhile does not show.
  private static func withoutEcho(_ body: () -> String?) -> String? {
    var old = termios()
    guard tcgetattr(STDIN_FILENO, &old) == 0 else { return nil }
    var quiet = old
    quiet.c_lflag &= ~tcflag_t(ECHO)
    quiet.c_lflag |= tcflag_t(ECHONL)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0 else { return nil }
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &old) }
    return body()
  }
}
