public import Postgres
public import Secrets
public import Values

/// Makes an account with its credential, its first session, and the letter that verifies its address: all of it, or
/// nothing.
public struct SignUp: WriteStatement {
  public let id: AccountID
  public let username: Username
  public let email: EmailAddress
  public let fullName: FullName?
  public let passwordHash: PasswordHash
  public let session: NewSession
  /// The language of letters to the owner.
  public let language: Language
  /// What verifies the email address.
  public let link: MailedLink
  /// The id of the event in the audit.
  public let event: AuditEventID

  public init(
    id: AccountID, username: Username, email: EmailAddress, fullName: FullName?, passwordHash: PasswordHash,
    session: NewSession, language: Language, link: MailedLink, event: AuditEventID
  ) {
    self.id = id
    self.username = username
    self.email = email
    self.fullName = fullName
    self.passwordHash = passwordHash
    self.session = session
    self.language = language
    self.link = link
    self.event = event
  }

  /// What became of it.
  public enum Outcome: Sendable, Equatable {
    case signedUp(AccountRow, SessionRow)
    /// Another account has one of the names. Both flags are false when that account was being made at the same moment:
    /// run the statement again, and they say which.
    case taken(Taken)
  }

  public static let sql = """
    with made as (
      insert into account (id, username, email, full_name, language)
      values ($1::uuid, $2::text, $3::text, $4::text, $13::text)
      on conflict do nothing
      returning *
    ),
    kept as (
      insert into credential (account_id, password_hash) select made.id, $5::text from made
    ),
    ended as (
      delete from session where token_digest = $12::bytea and exists (select from made)
    ),
    opened as (
      insert into session (id, account_id, token_digest, epoch, ip, user_agent, expires_at)
      select $6::uuid, made.id, $7::bytea, made.session_epoch, $8::text::inet, $9::text,
             now() + make_interval(secs => least($10::double precision, $11::double precision))
      from made
      returning id, created_at, expires_at
    ),
    \(Links.make(.emailVerification, digest: "$15", from: "made as account")),
    \(Outbox.write(.emailVerification, id: "$14", secret: "$16", from: "made as account")),
    \(Audit.record(.signedUp, id: "$17", address: "$8", account: "made.id", from: "made"))
    select exists (select from account where username = $2::text) as username_taken,
           exists (select from account where email_folded = $18::text) as email_taken,
           opened.id, opened.created_at, opened.expires_at, \(AccountRow.columns)
    from (select) as always
    left join opened on true
    left join made as account on true
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(id)
    parameters.append(username.text)
    parameters.append(email.stored)
    parameters.append(fullName?.text)
    parameters.append(passwordHash.text)
    parameters.append(session)
    parameters.append(language.rawValue)
    parameters.append(link)
    parameters.append(event)
    parameters.append(email.folded)
  }

  public func decode(_ rows: Rows) -> Outcome {
    var row = rows[0]
    let taken = Taken(&row)
    guard !row.isNextNull else { return .taken(taken) }
    let session = SessionRow(&row)
    return .signedUp(AccountRow(&row), session)
  }
}
