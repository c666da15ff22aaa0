public import Postgres

/// The newest migration that the database has; 0 when it has none. Shows that the database answers.
public struct ReadSchemaVersion: ReadStatement {
  public init() {}

  public static let sql = "select coalesce(max(version), 0)::integer from schema_migration"

  public func bind(to parameters: inout Parameters) {}

  public func decode(_ rows: Rows) -> Int {
    var row = rows[0]
    return row.int32()
  }
}
