import EventLoop
import Log

/// Room for new connections when there are almost as many as there may be.
///
/// Whoever opens thousands and says little on each must not keep all others out. So those go first that have kept the
/// server waiting longest: for a request, for a body, for reading an answer. A new connection stays for as long as it
/// takes that many others to come. Never ended are requests that the server works on, and streams that have nothing to
/// send.
extension Server {
  /// How often the log tells that connections were ended.
  private static let endedMilliseconds: UInt64 = 10_000

  /// Whoever has waited for less than this is not ended: most requests come with their connection.
  private static let awaitedMilliseconds: UInt64 = 20

  /// Ends some of those that keep the server waiting, and looks again while there is no place left.
  func makeRoom() {
    let latest = loop.nowMilliseconds - Self.awaitedMilliseconds
    let awaited = links.filter { $0.isAwaited && $0.sinceMilliseconds <= latest }
    for link in awaited.sorted(by: { $0.sinceMilliseconds < $1.sinceMilliseconds }).prefix(limits.connectionsAtOnce) {
      switch link.phase {
      case .head, .body: refuse(link, .overloaded)
      case .fresh, .idle, .answering, .sending: link.cut()
      }
      ended += 1
    }
    runSoon()
    if links.count >= limits.connectionsMax { roomTimer?.start(afterMilliseconds: Self.awaitedMilliseconds) }
  }

  /// Says in the log how many were ended, now and then.
  func tellOfEnded(now: UInt64) {
    guard ended > 0, now >= endedDue else { return }
    endedDue = now + Self.endedMilliseconds
    log.warning("connections_full", ["max": .number(limits.connectionsMax), "ended": .number(ended)])
    ended = 0
  }
}

extension Link {
  /// Whether the client keeps the server waiting.
  fileprivate var isAwaited: Bool {
    guard !isCut else { return false }
    return switch phase {
    case .fresh, .idle, .head, .body: true
    case .sending: !isWithoutDeadline
    case .answering: false
    }
  }
}
