public import Postgres
public import Secrets

/// Whose password a mailed link resets. No answer: there is no such link, or no more.
///
/// Whether it is still good when the password is hashed is for ``ResetPassword`` to say.
public struct ReadPasswordReset: ReadStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  /// The names that a new password may not equal.
  public struct Names: Sendable, Equatable {
    public let username: String
    public let email: String

    public init(username: String, email: String) {
      self.username = username
      self.email = email
    }
  }

  public static let sql = """
    select account.username, account.email
    from link
    join account on account.id = link.account_id and account.session_epoch = link.epoch and account.email = link.email
    where link.token_digest = $1::bytea and link.purpose = 'password_reset' and link.expires_at > now()
      and account.disabled_at is null
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
  }

  public func decode(_ rows: Rows) -> Names? {
    guard var row = rows.first else { return nil }
    let username = row.text()
    return Names(username: username, email: row.text())
  }
}
