import Metrics
public import Postgres
import Secrets
public import Store

/// Runs statements for the services: in the words of ``Failure``, and for viewers with the rule of sliding sessions.
public struct Database: Sendable {
  /// What statements take, for metrics.
  public let meter = StatementMeter()
  private let pool: Pool
  private let lifetime: SessionLifetime

  public init(_ pool: Pool, lifetime: SessionLifetime) {
    self.pool = pool
    self.lifetime = lifetime
  }

  func run<S: Statement>(_ statement: S) async throws(Failure) -> S.Answer {
    let start = Moment.now
    do throws(PostgresError) {
      let answer = try await pool.run(statement)
      meter.note(S.effect, start.microsecondsSince)
      return answer
    } catch {
      let failure = Failure(error)
      meter.note(S.effect, start.microsecondsSince, failedFor: failure)
      throw failure
    }
  }

  /// Runs a statement for whoever is signed in with its token; ``Failure/signedOut`` for nobody.
  ///
  /// A session that was last written an hour ago is written again. That this fails is no reason not to answer: the
  /// next request tries again.
  func run<S: ViewerStatement>(for statement: S) async throws(Failure) -> S.Found {
    guard let viewed = try await run(statement) else { throw .signedOut }
    if viewed.isTouchDue { try? await run(TouchSession(token: statement.token, lifetime: lifetime)) }
    return viewed.found
  }
}
