import CPostgres
import CUV
import Postgres

/// `roost version`.
struct Version {
  /// The release that this source is.
  static let text = "0.1.0"

  let console: Console

  func run() -> ExitCode {
    console.say(
      """
      roost \(Self.text)
      Swift \(Self.swift)
      libpq \(Self.postgres(Int(PQlibVersion())))
      libuv \(String(cString: uv_version_string()))
      schema \(Database.migrations.count) (\(Database.migrations.last?.file ?? "none"))
      """)
    return .done
  }

  /// 15.18 for 150018, as PostgreSQL has numbered since version 10.
  static func postgres(_ number: Int) -> String { "\(number / 10_000).\(number % 10_000)" }

  static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
