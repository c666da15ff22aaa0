/// Why a database cannot be brought to the schema of this binary. Each text says what to do.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file was applied with other contents than this binary holds.
  case changed(file: String)
  /// The database has a later migration, but not this one.
  case skipped(file: String)
  /// The database holds this migration under another name.
  case renamed(file: String, applied: String)
  /// The database has a migration with a number beyond all that this binary knows.
  case newer(database: Int, binary: Int)
  /// The list of migrations itself does not count 1, 2, 3 and so on.
  case misnumbered(file: String)
  /// A statement of the file was refused. Nothing of the file remains, unless it runs outside of a transaction: then it
  /// begins anew the next time.
  case failed(file: String, PostgresError)
  /// Another migrator, or somebody's lock on a table, did not let go in time.
  case lockedOut(seconds: Int)
  /// The database could not be asked.
  case database(PostgresError)

  public var description: String {
    switch self {
    case .changed(let file):
      """
      sql/\(file) was changed after this database had applied it. Restore the file as it was and put the change into \
      a new migration with the next number
      """
    case .skipped(let file):
      """
      this database has later migrations but lacks sql/\(file). Give that migration the next free number, so that it \
      comes after those applied
      """
    case .renamed(let file, let applied):
      """
      this database has applied sql/\(applied), for which this binary has sql/\(file). Restore the file, and give a new \
      migration the next free number
      """
    case .newer(let database, let binary):
      """
      the database has schema version \(database), this binary knows versions up to \(binary). Run a binary at least \
      as new as the database; schemas are never rolled back
      """
    case .misnumbered(let file): "sql/\(file) does not have the number that follows the file before it"
    case .failed(let file, let error): "sql/\(file) failed and is not applied: \(error)"
    case .lockedOut(let seconds):
      """
      waited \(seconds) s for a lock that another migrator or transaction holds. See pg_stat_activity for who holds \
      it, then run `roost migrate` again
      """
    case .database(let error): "\(error)"
    }
  }

  /// Whether a wait for a lock ran out, or went in a circle: worth another try.
  var isAboutLocks: Bool {
    switch self {
    case .database(.rejected(let sqlState, _, _)), .failed(_, .rejected(let sqlState, _, _)):
      ["55P03", "40P01"].contains(sqlState)
    default: false
    }
  }
}
