public import Postgres
public import Values

/// Makes a link to choose a new password and the letter it goes out in, if the address is an account's.
///
/// An address that is nobody's is counted alike, under a digest, and leaves an event in the audit alike: the statement
/// writes durably either way, and neither its answer nor its time tells which addresses are known. Beyond the account's
/// limit it writes neither, and answers the same.
public struct RequestPasswordReset: WriteStatement {
  public let email: EmailAddress
  /// What an address that is nobody's is counted under.
  public let emailDigest: String
  public let address: ClientAddress
  public let allowances: LetterAllowances
  public let link: MailedLink
  public let stamp: AuditStamp

  public init(
    email: EmailAddress, emailDigest: String, address: ClientAddress, allowances: LetterAllowances, link: MailedLink,
    stamp: AuditStamp
  ) {
    self.email = email
    self.emailDigest = emailDigest
    self.address = address
    self.allowances = allowances
    self.link = link
    self.stamp = stamp
  }

  /// `$1` email, `$2` its digest, `$3` the address's bucket, `$4` to `$7` the allowances, `$8` to `$10` the link, `$11`
  /// `$12` the stamp.
  public static let sql = """
    with known as (
      select id, username, email, language, session_epoch from account
      where email_folded = $1::text and disabled_at is null
    ),
    subject as (
      select coalesce((select known.id::text from known), $2::text) as name
    ),
    \(LetterThrottle.count("reset", for: .anybody, from: 3)),
    asked as (
      select account.* from known as account, reset_account_passed
    ),
    \(Links.make(.passwordReset, digest: "$9", from: "asked as account")),
    \(Outbox.write(.passwordReset, id: "$8", secret: "$10", from: "asked as account")),
    \(Audit.record(.passwordResetRequested, id: "$11", address: "$12", account: "(select id from known)", from: "reset_account_passed"))
    select \(LetterThrottle.columns("reset", for: .anybody))
    from blocked
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(email.folded)
    parameters.append(emailDigest)
    parameters.append(address.bucket)
    parameters.append(allowances)
    parameters.append(link)
    parameters.append(stamp)
  }

  public func decode(_ rows: Rows) -> Counted<Void> {
    var row = rows[0]
    return Counted(&row) { _ in }
  }
}
