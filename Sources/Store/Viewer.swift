public import Postgres
public import Secrets

/// A statement that first finds out who asks: the account whose session is good at this moment.
///
/// No row means that nobody is signed in with this token. Each row begins with ``Viewer/column``; what follows is the
/// answer proper.
public protocol ViewerStatement: Statement where Answer == Viewed<Found>? {
  associatedtype Found: Sendable

  /// The digest of the presented token; it is parameter `$1`.
  var token: TokenDigest { get }

  /// Appends the parameters from `$2` on.
  func bindRest(to parameters: inout Parameters)

  /// What the rows say after their first column. There is at least one.
  func found(in rows: Rows) -> Found
}

/// What a signed-in account asked for.
public struct Viewed<Found: Sendable>: Sendable {
  /// Whether the session was last written an hour ago or more, so that its sliding expiry is to be moved on.
  public let isTouchDue: Bool
  public let found: Found
}

extension ViewerStatement {
  public func bindRest(to parameters: inout Parameters) {}

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
    bindRest(to: &parameters)
  }

  public func decode(_ rows: Rows) -> Viewed<Found>? {
    guard var first = rows.first else { return nil }
    return Viewed(isTouchDue: first.bool(), found: found(in: rows))
  }
}

extension ViewerStatement where Found == Bool {
  /// The second column of the one row.
  public func found(in rows: Rows) -> Bool {
    var row = rows[0]
    row.skip()
    return row.bool()
  }
}

/// The shared part of statements that need a session.
enum Viewer {
  /// The common table expression `viewer`: the row of the viewer's account with `touch_due` beside it, or no row.
  ///
  /// A session is good while it has not expired, its account is not disabled, and it is of the account's present epoch.
  static let expression = """
    viewer as (
      select account.*, session.last_seen_at < now() - interval '1 hour' as touch_due
      from session
      join account on account.id = session.account_id and account.session_epoch = session.epoch
      where session.token_digest = $1 and session.expires_at > now() and account.disabled_at is null
    )
    """

  /// The first column of each row.
  static let column = "viewer.touch_due"
}
