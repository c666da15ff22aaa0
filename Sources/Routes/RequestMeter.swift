public import Metrics

/// How many requests of each route were answered how, and how long they took, on one loop.
public final class RequestMeter: Sendable {
  private let names: [String]
  private let times: [Histogram]
  private let statuses: [[Counter]]

  /// Statuses that are counted apart; any other counts as 0.
  private static let known = [
    200, 201, 202, 204, 302, 304, 400, 401, 403, 404, 405, 408, 409, 410, 413, 414, 415, 422, 429, 431, 500, 503, 0,
  ]

  init(_ names: [String]) {
    self.names = names
    times = names.map { _ in Histogram() }
    statuses = names.map { _ in Self.known.map { _ in Counter() } }
  }

  func note(_ place: Int, status: Int, microseconds: Int) {
    times[place].note(microseconds: microseconds)
    statuses[place][Self.known.firstIndex(of: status) ?? Self.known.count - 1].add()
  }

  /// Writes the requests of several loops, together. Routes nobody has called are left out.
  public static func write(_ meters: [RequestMeter], to page: inout Exposition) {
    guard let first = meters.first else { return }
    var counts: [(labels: Exposition.Labels, value: Int)] = []
    var times: [(labels: [(String, String)], value: Histogram.Snapshot)] = []
    for (place, name) in first.names.enumerated() {
      for (index, status) in known.enumerated() {
        let value = meters.reduce(0) { $0 + $1.statuses[place][index].value }
        if value > 0 { counts.append((["route": name, "status": status == 0 ? "other" : "\(status)"], value)) }
      }
      let snapshots = meters.map { $0.times[place].snapshot }
      let all = snapshots.dropFirst().reduce(snapshots[0], +)
      if all.counts.contains(where: { $0 > 0 }) { times.append(([("route", name)], all)) }
    }
    page.counter("roost_requests_total", "Requests answered, by route and status.", counts)
    page.histogram("roost_request_seconds", "From the request's head to its answer, by route.", times)
  }
}
