public import Postgres
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A freshly migrated database of its own for one test, dropped with the object.
///
/// It is a copy of a template that is migrated once for all tests of a run, which is faster than migrating each. It lives in
/// the throwaway cluster that `make test` starts and names in `ROOST_TEST_DATABASE`.
public final class TestDatabase: Sendable {
  public let name: String
  /// For the plain role that owns the database: no superuser, as in earnest.
  public let target: ConnectionTarget
  /// For the cluster's superuser, to look at what the owner may not see.
  public let superuserTarget: ConnectionTarget

  private let isDropped = Atomic(false)

  /// A database with all migrations applied.
  public static func fresh() throws -> TestDatabase {
    try TestDatabase(template: TestTemplate.name.get())
  }

  /// A database without any migration.
  public static func empty() throws -> TestDatabase {
    try TestTemplate.makeOwner()
    return try TestDatabase(template: "template0")
  }

  private init(template: String) throws(PostgresError) {
    name = "roost_test_\(getpid())_\(Self.count.add(1, ordering: .relaxed).newValue)"
    let cluster = try TestCluster.target()
    superuserTarget = cluster.with(database: name)
    target = superuserTarget.with(user: TestTemplate.owner)
    let connection = try BlockingConnection(cluster)
    // Without fsync the checkpoints around a copy of the files cost less than a copy through the log.
    try connection.run(
      "create database \(name) template \(template) owner \(TestTemplate.owner)"
        + (connection.serverVersion >= 150_000 ? " strategy file_copy" : ""))
  }

  deinit { drop() }

  /// Drops it at once, with whoever is still connected. Calling it again does nothing.
  public func drop() {
    guard isDropped.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
    try? BlockingConnection(TestCluster.target()).run("drop database if exists \(name) with (force)")
  }

  /// The rows of one statement, run by the owner on a connection of its own.
  public func rows(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> [[String?]] {
    try BlockingConnection(target).rows(sql, parameters)
  }

  /// The first column of the first row of one statement, run by the owner.
  public func value(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> String? {
    try BlockingConnection(target).value(sql, parameters)
  }

  private static let count = Atomic(0)
}
