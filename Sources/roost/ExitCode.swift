/// How the process ends; the numbers above 63 are those of BSD's `sysexits.h`.
struct ExitCode: Sendable, Equatable {
  let rawValue: Int32

  static let done = ExitCode(rawValue: 0)
  /// It was tried and did not work.
  static let failed = ExitCode(rawValue: 1)
  /// EX_USAGE: the command line is wrong.
  static let usage = ExitCode(rawValue: 64)
  /// EX_CONFIG: a setting is wrong.
  static let config = ExitCode(rawValue: 78)
  /// Ended by a signal, as shells tell it.
  static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }
}
