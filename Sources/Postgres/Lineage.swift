import CPostgres
import Synchronization

/// Which history of its data a primary writes on.
///
/// A standby that is promoted begins a new timeline. A primary on an older one than has been seen was replaced: it hung, or
/// was cut off, and does not know it yet. What it says may be out of date, such as that a session is good.
struct Lineage: Sendable, Equatable {
  /// The number that `initdb` gives: timelines of two systems say nothing of each other.
  let system: String
  let timeline: Int

  func isReplaced(by other: Lineage) -> Bool { system == other.system && timeline < other.timeline }
}

extension Lineage {
  /// What the server says of itself: nil for a standby, and where it does not tell, as a service without these functions.
  static func of(_ link: OpaquePointer, until deadline: ContinuousClock.Instant) -> Lineage? {
    guard case .row(let row) = Question.ask(link, sql, until: deadline), let timeline = Int(row[1], radix: 16) else {
      return nil
    }
    return Lineage(system: row[0], timeline: timeline)
  }

  /// A file of the write-ahead log has its timeline, of eight hexadecimal digits, at the start of its name. A standby has
  /// no such file, and the answer is null.
  private static let sql = """
    select system_identifier, case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end
    from pg_control_system()
    """

  /// The newest that any connection of this process has seen.
  final class Newest: Sendable {
    private let seen = Mutex<Lineage?>(nil)

    /// Notes what a new connection says; false when it is of a primary that another has replaced.
    func admits(_ lineage: Lineage) -> Bool {
      seen.withLock { newest in
        if let known = newest, lineage.isReplaced(by: known) { return false }
        newest = lineage
        return true
      }
    }

    /// Whether a primary that was admitted has been replaced since.
    func replaces(_ lineage: Lineage) -> Bool {
      seen.withLock { newest in newest.map { lineage.isReplaced(by: $0) } ?? false }
    }
  }
}
