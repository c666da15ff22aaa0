import Store
import Synchronization

/// Whether this node should be given requests.
public final class Readiness: Sendable {
  private let database: Database
  private let schemaVersion: Int
  private let isLeaving = Atomic(false)

  /// `schemaVersion`: the newest migration that this program knows.
  public init(database: Database, schemaVersion: Int) {
    self.database = database
    self.schemaVersion = schemaVersion
  }

  /// The node is about to stop: from now on it is not ready.
  public func leave() { isLeaving.store(true, ordering: .relaxed) }

  /// Whether the node stays, the database answers, and its schema is this program's or newer.
  public func isReady() async -> Bool {
    guard !isLeaving.load(ordering: .relaxed) else { return false }
    guard let version = try? await database.run(ReadSchemaVersion()) else { return false }
    return version >= schemaVersion
  }
}
