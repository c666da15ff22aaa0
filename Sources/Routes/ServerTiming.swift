import Metrics
import RoostAPI

/// What an answer says of the time it took (W3C Server Timing), for those who configure it.
///
/// Times tell secrets: whether a login is known, or an address somebody's. So only calls that need a session are told
/// theirs; what those do depends on nothing that the caller may not know.
enum ServerTiming {
  /// The header's name.
  static let name = "Server-Timing"

  static func isTold(of endpoint: Endpoint) -> Bool { endpoint.needsSession }

  /// The header's value: what the request has waited for, in milliseconds, and all of it.
  static func value(_ times: RequestTimes, total: Int) -> String {
    var entries: [String] = []
    for span in RequestTimes.Span.allCases {
      let (count, microseconds) = times[span]
      guard count > 0 else { continue }
      let description = span == .database ? #";desc="\#(count) statement\#(count == 1 ? "" : "s")""# : ""
      entries.append("\(token(span))\(description);dur=\(milliseconds(microseconds))")
    }
    entries.append("total;dur=\(milliseconds(total))")
    return entries.joined(separator: ", ")
  }

  private static func token(_ span: RequestTimes.Span) -> String {
    switch span {
    case .database: "db"
    case .queue: "queue"
    case .hash: "hash"
    case .picture: "picture"
    }
  }

  /// With three digits behind the point.
  private static func milliseconds(_ microseconds: Int) -> String {
    let (whole, rest) = max(0, microseconds).quotientAndRemainder(dividingBy: 1_000)
    return "\(whole).\(rest < 100 ? "0" : "")\(rest < 10 ? "0" : "")\(rest)"
  }
}
