/// One step of the schema: a file of `sql/`, applied once to each database and never changed afterwards.
public struct Migration: Sendable, Equatable {
  /// Counts from 1 without gaps.
  public let version: Int
  /// The rest of the file's name: `accounts` of `0001_accounts.sql`.
  public let name: String
  /// One or several statements, none of which may refuse to run inside a transaction.
  public let sql: String

  public init(version: Int, name: String, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
  }

  /// `0001_accounts.sql`.
  public var file: String { Self.file(version: version, name: name) }

  static func file(version: Int, name: String) -> String {
    let digits = String(version)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + name + ".sql"
  }
}
