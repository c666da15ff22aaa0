public import Postgres
public import Values

/// Writes a letter with the username of the account that has this address, if one has.
///
/// Like ``RequestPasswordReset`` it counts, writes and answers alike for an address that is nobody's.
public struct RemindUsername: WriteStatement {
  public let email: EmailAddress
  /// What an address that is nobody's is counted under.
  public let emailDigest: String
  public let address: ClientAddress
  public let allowances: LetterAllowances
  public let letter: LetterID
  public let stamp: AuditStamp

  public init(
    email: EmailAddress, emailDigest: String, address: ClientAddress, allowances: LetterAllowances, letter: LetterID,
    stamp: AuditStamp
  ) {
    self.email = email
    self.emailDigest = emailDigest
    self.address = address
    self.allowances = allowances
    self.letter = letter
    self.stamp = stamp
  }

  /// `$1` email, `$2` its digest, `$3` the address's bucket, `$4` to `$7` the allowances, `$8` the letter, `$9` `$10`
  /// the stamp.
  public static let sql = """
    with known as (
      select id, username, email, language from account where email_folded = $1::text and disabled_at is null
    ),
    subject as (
      select coalesce((select known.id::text from known), $2::text) as name
    ),
    \(LetterThrottle.count("reminder", for: .anybody, from: 3)),
    asked as (
      select account.* from known as account, reminder_account_passed
    ),
    \(Outbox.write(.usernameReminder, id: "$8", from: "asked as account")),
    \(Audit.record(.usernameReminded, id: "$9", address: "$10", account: "(select id from known)", from: "reminder_account_passed"))
    select \(LetterThrottle.columns("reminder", for: .anybody))
    from blocked
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(email.folded)
    parameters.append(emailDigest)
    parameters.append(address.bucket)
    parameters.append(allowances)
    parameters.append(letter)
    parameters.append(stamp)
  }

  public func decode(_ rows: Rows) -> Counted<Void> {
    var row = rows[0]
    return Counted(&row) { _ in }
  }
}
