public import Postgres
public import Secrets

/// Which of some sessions are over, by their place in the list. Good is what is good for a ``ViewerStatement``.
public struct ReadEndedSessions: ReadStatement {
  public let tokens: [TokenDigest]

  public init(tokens: [TokenDigest]) { self.tokens = tokens }

  public static let sql = """
    select asked.place::integer - 1
    from unnest($1::bytea[]) with ordinality as asked (token_digest, place)
    where not exists (
      select from session
      join account on account.id = session.account_id and account.session_epoch = session.epoch
      where session.token_digest = asked.token_digest and session.expires_at > now() and account.disabled_at is null
    )
    """

  public func bind(to parameters: inout Parameters) { parameters.append(tokens) }

  public func decode(_ rows: Rows) -> [Int] { rows.map { $0.int32() } }
}
