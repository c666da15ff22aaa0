import CPostgres
import Synchronization

/// The order in which the hosts of a target are tried: first the one that was right last.
///
/// libpq tries them as they are written. A first host that hangs or is cut off would cost each new connection the whole
/// time that one host may take, for as long as it is away.
final class HostOrder: Sendable {
  private let written: ConnectionTarget
  private let count: Int
  private let first = Atomic(0)

  init(_ target: ConnectionTarget) {
    written = target
    count = target.hostCount
  }

  /// The target to try now, and which of the written hosts comes first in it.
  var next: (target: ConnectionTarget, first: Int) {
    let first = first.load(ordering: .relaxed)
    return (written.startingAtHost(first), first)
  }

  func succeeded(on link: OpaquePointer) {
    if count > 1, let place = written.placeOfHost(of: link) { first.store(place, ordering: .relaxed) }
  }

  /// Begins with the next host, unless somebody else has changed the order meanwhile.
  func failed(startingAt tried: Int) {
    guard count > 1 else { return }
    _ = first.compareExchange(expected: tried, desired: (tried + 1) % count, ordering: .relaxed)
  }
}
