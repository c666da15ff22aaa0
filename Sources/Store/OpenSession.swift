public import Postgres
public import Secrets
public import Values

/// Opens a session for an account whose password has been verified, and gives the attempt back.
///
/// No answer: the account is gone, is disabled, or has ended all its sessions since the password was looked up.
public struct OpenSession: WriteStatement {
  public let candidate: LoginCandidate
  public let session: NewSession
  /// A new hash of the same password, when the parameters have changed.
  public let newHash: PasswordHash?
  /// The id of the event in the audit.
  public let event: AuditEventID

  public init(candidate: LoginCandidate, session: NewSession, newHash: PasswordHash?, event: AuditEventID) {
    self.candidate = candidate
    self.session = session
    self.newHash = newHash
    self.event = event
  }

  /// `$1` account, `$2` its epoch, `$3` to `$9` the session, `$10` the address that attempts are counted under,
  /// `$11` the new hash, `$12` the hash it replaces, `$13` the event, `$14` the
  /// window that the attempt was counted in.
  public static let sql = """
    with opener as (
      select id from account where id = $1::uuid and session_epoch = $2::integer and disabled_at is null
    ),
    rehashed as (
      update credential set password_hash = $11::text from opener
      where credential.account_id = opener.id and credential.password_hash = $12::text and $11::text is not null
    ),
    ended as (
      delete from session where token_digest = $9::bytea and exists (select from opener)
    ),
    opened as (
      insert into session (id, account_id, token_digest, epoch, ip, user_agent, expires_at)
      select $3::uuid, opener.id, $4::bytea, $2::integer, $5::text::inet, $6::text,
             now() + make_interval(secs => least($7::double precision, $8::double precision))
      from opener
      returning id, created_at, expires_at
    ),
    \(LoginThrottle.forgive(
      account: "$1::uuid", address: "$10::text", window: "$14", if: "exists (select from opener)")),
    \(Audit.record(.loggedIn, id: "$13", address: "$5", account: "opener.id", from: "opener"))
    select opened.id, opened.created_at, opened.expires_at, \(AccountRow.columns)
    from opened
    join account on account.id = $1::uuid
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(candidate.id)
    parameters.append(Int32(clamping: candidate.epoch))
    parameters.append(session)
    parameters.append(session.address.bucket)
    parameters.append(newHash?.text)
    parameters.append(candidate.passwordHash.text)
    parameters.append(event)
    parameters.append(candidate.window)
  }

  public func decode(_ rows: Rows) -> (session: SessionRow, account: AccountRow)? {
    guard var row = rows.first else { return nil }
    let session = SessionRow(&row)
    return (session, AccountRow(&row))
  }
}
