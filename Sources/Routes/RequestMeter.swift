public import Metrics
import Services

/// How many requests of each route were answered how, how long they took and what they cost, on one loop.
public final class RequestMeter: Sendable {
  /// The costs of each route, by its place.
  let costs: [RouteCost]
  private let names: [String]
  private let times: [Histogram]
  private let statuses: [[Counter]]
  private let limits: [String: Counter]
  /// Mistakes of ours.
  let internalErrors = Counter()

  /// Statuses that are counted apart; any other counts as 0.
  private static let known = [
    200, 201, 202, 204, 302, 304, 400, 401, 403, 404, 405, 408, 409, 410, 413, 414, 415, 422, 429, 431, 500, 503, 0,
  ]

  init(_ names: [String]) {
    self.names = names
    costs = names.map { _ in RouteCost() }
    times = names.map { _ in Histogram() }
    statuses = names.map { _ in Self.known.map { _ in Counter() } }
    limits = Dictionary(uniqueKeysWithValues: Limits.rules.map { ($0, Counter()) })
  }

  func note(_ place: Int, status: Int, microseconds: Int) {
    times[place].note(microseconds)
    note(place, status: status)
  }

  /// Notes a request that took no time of anybody's.
  func note(_ place: Int, status: Int) {
    statuses[place][Self.known.firstIndex(of: status) ?? Self.known.count - 1].add()
  }

  /// Notes that somebody has hit a limit.
  func note(spent rule: String) { limits[rule]?.add() }

  /// Writes the requests of several loops, together. Routes nobody has called are left out.
  public static func write(_ meters: [RequestMeter], to page: inout Exposition) {
    guard let first = meters.first else { return }
    var counts: [(labels: Exposition.Labels, value: Int)] = []
    var times: [(labels: Exposition.Labels, value: Histogram.Snapshot)] = []
    var statements: [(labels: Exposition.Labels, value: Int)] = []
    var statementTimes: [(labels: Exposition.Labels, microseconds: Int)] = []
    for (place, name) in first.names.enumerated() {
      for (index, status) in known.enumerated() {
        let value = meters.reduce(0) { $0 + $1.statuses[place][index].value }
        guard value > 0 else { continue }
        counts.append((["route": name, "status": status == 0 ? "other" : "\(status)"], value))
      }
      let all = meters.map { $0.times[place].snapshot }.together
      guard all.counts.contains(where: { $0 > 0 }) else { continue }
      times.append((["route": name], all))
      let costs = meters.map { $0.costs[place] }
      statements.append((["route": name], costs.reduce(0) { $0 + $1.statements.value }))
      statementTimes.append((["route": name], costs.reduce(0) { $0 + $1.statementMicroseconds.value }))
    }
    page.counter("roost_requests_total", "Requests answered, by route and status.", counts)
    page.histogram("roost_request_seconds", "From the request's head to its answer, by route.", times)
    page.counter("roost_request_statements_total", "SQL statements that requests ran, by route.", statements)
    page.counter("roost_request_statement_seconds_total", "What they took, by route.", times: statementTimes)
    page.counter(
      "roost_internal_errors_total", "Requests that met a mistake of Roost; the log says which.",
      [([:], meters.reduce(0) { $0 + $1.internalErrors.value })])
    page.counter(
      "roost_limits_hit_total", "Requests refused since a limit was spent, by limit.",
      Limits.rules.map { rule in (["limit": rule], meters.reduce(0) { $0 + ($1.limits[rule]?.value ?? 0) }) })
  }
}
