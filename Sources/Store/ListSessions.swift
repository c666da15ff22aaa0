public import Postgres
public import Secrets
public import Values

/// The viewer's sessions that are good now, newest first.
public struct ListSessions: ViewerStatement, ReadStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  /// More are not listed.
  public static let sessionsMax = 1_000

  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), session.id, session.created_at, session.last_seen_at, session.expires_at,
           session.user_agent, host(session.ip), session.token_digest = $1 as is_current
    from viewer
    join account on account.id = viewer.id
    join session on session.account_id = account.id and session.epoch = account.session_epoch
    where session.expires_at > now()
    order by session.id desc
    limit \(sessionsMax)
    """

  public func found(in rows: Rows) -> [ListedSession] {
    rows.map { row in
      row.skip()
      return ListedSession(&row)
    }
  }
}

/// A session as its owner sees it.
public struct ListedSession: Sendable, Equatable {
  public let id: SessionID
  public let createdAtMicroseconds: Int64
  public let lastSeenAtMicroseconds: Int64
  public let expiresAtMicroseconds: Int64
  public let userAgent: String?
  public let ip: String
  /// Whether it is the one that asks.
  public let isCurrent: Bool

  init(_ row: inout Row) {
    id = row.id()
    createdAtMicroseconds = row.time()
    lastSeenAtMicroseconds = row.time()
    expiresAtMicroseconds = row.time()
    userAgent = row.optionalText()
    ip = row.text()
    isCurrent = row.bool()
  }
}
