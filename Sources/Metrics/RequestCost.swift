/// Where to count what the request costs that a task works for. The task hands it down, so that no call in between needs
/// to know of it; work that outlives the request is none of its.
public struct RequestCost: Sendable {
  /// That of the request which this task answers; nil for all other work.
  @TaskLocal public static var current: RequestCost?

  /// What all requests of the route cost.
  public let route: RouteCost
  /// What this one takes, where somebody wants to hear it.
  public let times: RequestTimes?

  public init(route: RouteCost, times: RequestTimes?) {
    self.route = route
    self.times = times
  }

  /// Counts a statement that took so long, the wait for a connection included.
  public func noteStatement(_ microseconds: Int) {
    route.statements.add()
    route.statementMicroseconds.add(microseconds)
    times?.note(.database, microseconds)
  }
}

/// What the requests of a route have cost so far, on one loop.
public final class RouteCost: Sendable {
  /// SQL statements.
  public let statements = Counter()
  /// What they took.
  public let statementMicroseconds = Counter()

  public init() {}
}

/// What one request has spent its time on.
public final class RequestTimes: Sendable {
  /// What takes long.
  public enum Span: Int, CaseIterable, Sendable {
    /// Statements, from their submission to their answer.
    case database
    /// The wait for a thread of a crew.
    case queue
    /// Argon2id.
    case hash
    /// Making a photo out of an upload.
    case picture
  }

  private let counts = Span.allCases.map { _ in Counter() }
  private let sums = Span.allCases.map { _ in Counter() }

  public init() {}

  /// Counts one that took so long.
  public func note(_ span: Span, _ microseconds: Int) {
    counts[span.rawValue].add()
    sums[span.rawValue].add(microseconds)
  }

  /// How many there were, and what they took together.
  public subscript(span: Span) -> (count: Int, microseconds: Int) {
    (counts[span.rawValue].value, sums[span.rawValue].value)
  }
}
