public import Postgres
public import Secrets

/// Moves the sliding expiry of a session on, at most once an hour however many nodes try.
public struct TouchSession: WriteStatement {
  public let token: TokenDigest
  public let lifetime: SessionLifetime

  public init(token: TokenDigest, lifetime: SessionLifetime) {
    self.token = token
    self.lifetime = lifetime
  }

  public static let sql = """
    update session
    set last_seen_at = now(),
        expires_at = least(
          now() + make_interval(secs => $2::double precision), created_at + make_interval(secs => $3::double precision))
    where token_digest = $1::bytea and last_seen_at < now() - interval '1 hour' and expires_at > now()
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
    parameters.append(Double(lifetime.idleSeconds))
    parameters.append(Double(lifetime.maxSeconds))
  }

  public func decode(_ rows: Rows) {}
}
