/// How the schema of a database stands to the migrations of this binary.
public enum SchemaState: Sendable, Equatable {
  /// All migrations are applied, and no others.
  case current(version: Int)
  /// The files of `pending` are yet to be applied; a fresh database has version 0.
  case behind(version: Int, pending: [String])
  /// A newer binary has migrated it. An older one may go on serving beside it, but must not migrate.
  case newer(version: Int, known: Int)
}

extension SchemaState {
  /// One row of `schema_migration`, and the hash of what this binary holds under the same number.
  struct Applied {
    let version: Int
    let name: String
    let sha256: String
  }

  /// Compares what a database has applied, in order of version, with `migrations` and their hashes.
  init(applied: [Applied], migrations: [Migration], hashes: [String]) throws(MigrationError) {
    var present = Set<Int>()
    for row in applied { present.insert(row.version) }
    let last = applied.last?.version ?? 0
    for migration in migrations where migration.version < last && !present.contains(migration.version) {
      throw .skipped(file: migration.file)
    }
    for row in applied where row.version <= migrations.count {
      let migration = migrations[row.version - 1]
      guard migration.name == row.name else {
        throw .renamed(file: migration.file, applied: Migration.file(version: row.version, name: row.name))
      }
      guard hashes[row.version - 1] == row.sha256 || migration.formerly.contains(row.sha256) else {
        throw .changed(file: migration.file)
      }
    }
    if last > migrations.count {
      self = .newer(version: last, known: migrations.count)
    } else if last == migrations.count {
      self = .current(version: last)
    } else {
      self = .behind(version: last, pending: migrations[last...].map(\.file))
    }
  }
}
