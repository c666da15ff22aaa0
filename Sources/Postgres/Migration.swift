/// One step of the schema: a file of `sql/`, applied once to each database and never changed afterwards.
public struct Migration: Sendable, Equatable {
  /// Counts from 1 without gaps.
  public let version: Int
  /// The rest of the file's name: `accounts` of `0001_accounts.sql`.
  public let name: String
  /// One or several statements.
  public let sql: String
  /// SHA-256, in hex, of forms that this file had earlier: a database that has applied one of them has the same schema.
  public let formerly: [String]

  public init(version: Int, name: String, sql: String, formerly: [String] = []) {
    self.version = version
    self.name = name
    self.sql = sql
    self.formerly = formerly
  }

  /// How the statements of a file are run. A file says so in its second line, unless it is one transaction.
  public enum Manner: String, Sendable, CaseIterable {
    /// All of them together with the row in `schema_migration`, or none.
    case inOneTransaction = "in one transaction"
    /// Each by itself, outside of any transaction, as `create index concurrently` demands. They run anew from the first
    /// after any failure, hence the file has to begin with taking away what an earlier try has left.
    case oneByOne = "one by one"
    /// A single statement, again and again, each time as a transaction of its own, until it changes no row: for filling
    /// in what many rows lack. It has to change some thousand rows at most each time, and must have an end.
    case inBatches = "in batches"
  }

  /// `-- runs: one by one` in the second line makes it so.
  public var manner: Manner {
    let lines = sql.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1 else { return .inOneTransaction }
    return Manner.allCases.first { lines[1] == "-- runs: \($0.rawValue)" } ?? .inOneTransaction
  }

  /// The statements of a file that does not run in one transaction: each ends with a semicolon at the end of a line.
  var statements: [String] {
    var statements: [String] = []
    var lines: [Substring] = []
    for line in sql.split(separator: "\n") where !line.hasPrefix("--") {
      lines.append(line)
      guard line.hasSuffix(";") else { continue }
      statements.append(lines.joined(separator: "\n"))
      lines = []
    }
    return lines.isEmpty ? statements : statements + [lines.joined(separator: "\n")]
  }

  /// `0001_accounts.sql`.
  public var file: String { Self.file(version: version, name: name) }

  static func file(version: Int, name: String) -> String {
    let digits = String(version)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_" + name + ".sql"
  }
}
