import RoostAPI
import TestSupport
import Testing

extension HTTPClient.Response {
  /// The answer itself when it has this status; else the test ends, and shows all of it.
  @discardableResult
  func expect(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> Self {
    try #require(self.status == status, "\(self)", sourceLocation: sourceLocation)
    return self
  }

  /// The problem that this answer is, with all that every problem has to have.
  @discardableResult
  func problem(_ code: ProblemCode, sourceLocation: SourceLocation = #_sourceLocation) throws -> Problem {
    try #require(status == code.status, "\(self)", sourceLocation: sourceLocation)
    try #require(self["Content-Type"] == "application/problem+json", "\(self)", sourceLocation: sourceLocation)
    let problem: Problem = try decoded()
    #expect(problem.code == code.rawValue, sourceLocation: sourceLocation)
    #expect(problem.type == "about:blank", sourceLocation: sourceLocation)
    #expect(problem.title == code.title, sourceLocation: sourceLocation)
    #expect(problem.status == status, sourceLocation: sourceLocation)
    #expect(problem.detail?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(problem.requestId != nil && problem.requestId == self["X-Request-ID"], sourceLocation: sourceLocation)
    #expect(all("X-Request-ID").count == 1, sourceLocation: sourceLocation)
    #expect(self["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
    #expect(
      (problem.errors == nil) == (code != .invalidFields && code != .taken), sourceLocation: sourceLocation)
    #expect((self["WWW-Authenticate"] != nil) == (status == 401), sourceLocation: sourceLocation)
    #expect((self["Allow"] != nil) == (status == 405), sourceLocation: sourceLocation)
    if code == .tooManyRequests || code == .overloaded || code == .databaseUnavailable {
      #expect((self["Retry-After"].flatMap { Int($0) } ?? 0) >= 1, sourceLocation: sourceLocation)
    } else {
      #expect(self["Retry-After"] == nil, sourceLocation: sourceLocation)
    }
    return problem
  }
}

/// Calls `body` on `count` threads at once, with 0, 1, 2 and so on, and answers what they did in that order.
func atOnce<Answer: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Answer
) throws -> [Answer] {
  let results = Collected<Result<Answer, any Error>>()
  concurrently(count) { index in results.append(Result { try body(index) }, at: index) }
  return try results.inOrder.map { try $0.get() }
}
