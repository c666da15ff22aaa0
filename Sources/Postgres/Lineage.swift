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
    private struct Seen {
      var newest: Lineage?
      /// When older ones were first and last refused, without an end in between.
      var refused: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
    }

    private let seen = Mutex(Seen())

    /// So long an older one is refused while no newer one is found. What elects primaries takes an old one's role away
    /// sooner: one that is a primary still is meant to be, its files put back from an older copy for instance.
    static let refusalSeconds = 60
    /// A refusal so long ago has had an end.
    private static let pauseSecondsMax = 15

    /// Notes what a new connection says; false when it is of a primary that another has replaced.
    func admits(_ lineage: Lineage, at now: ContinuousClock.Instant) -> Bool {
      seen.withLock { seen in
        if let newest = seen.newest, lineage.isReplaced(by: newest) {
          var refused = seen.refused ?? (now, now)
          if now - refused.last > .seconds(Self.pauseSecondsMax) { refused.first = now }
          seen.refused = (refused.first, now)
          guard now - refused.first >= .seconds(Self.refusalSeconds) else { return false }
        }
        seen = Seen(newest: lineage)
        return true
      }
    }

    /// Whether a primary that was admitted has been replaced since.
    func replaces(_ lineage: Lineage) -> Bool {
      seen.withLock { seen in seen.newest.map { lineage.isReplaced(by: $0) } ?? false }
    }
  }
}
