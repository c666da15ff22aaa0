public import Postgres
public import Secrets
public import Values

/// Mails a link to the address that the viewer wants to have, and a notice to the one it has; gives the attempt at the
/// password back.
///
/// No row, like nobody signed in: the account has ended its sessions since the password was looked up.
public struct RequestEmailChange: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let candidate: PasswordCandidate
  public let email: EmailAddress
  public let address: ClientAddress
  public let allowances: LetterAllowances
  public let link: MailedLink
  public let notice: LetterID
  public let stamp: AuditStamp

  public init(
    token: TokenDigest, candidate: PasswordCandidate, email: EmailAddress, address: ClientAddress,
    allowances: LetterAllowances, link: MailedLink, notice: LetterID, stamp: AuditStamp
  ) {
    self.token = token
    self.candidate = candidate
    self.email = email
    self.address = address
    self.allowances = allowances
    self.link = link
    self.notice = notice
    self.stamp = stamp
  }

  /// What became of it.
  public enum Outcome: Sendable, Equatable {
    case mailed
    /// Another account has the address.
    case taken
  }

  /// `$2` the epoch, `$3` the new address, `$4` the bucket, `$5` to `$8` the allowances, `$9` to `$11` the link, `$12`
  /// the notice, `$13` `$14` the stamp, `$15` the new address, folded, `$16` the window that the
  /// attempt was counted in.
  public static let sql = """
    with \(Viewer.expression),
    owner as (
      select * from viewer where session_epoch = $2::integer
    ),
    other as (
      select exists (
        select from account
        where email_folded = $15::text and id <> (select id from owner)
      ) as has_it
    ),
    subject as (
      select owner.id::text as name from owner, other where not other.has_it
    ),
    \(LetterThrottle.count("change", for: .owner, from: 4)),
    asked as (
      select owner.* from owner, change_account_passed
    ),
    \(Links.make(.emailChange, digest: "$10", email: "$3::text", from: "asked as account")),
    \(Outbox.write(.emailChange, id: "$9", to: "$3::text", secret: "$11", from: "asked as account")),
    \(Outbox.write(.emailChangeNotice, as: "noticed", id: "$12", from: "asked as account")),
    \(Audit.record(.emailChangeRequested, id: "$13", address: "$14", account: "asked.id", from: "asked")),
    \(LoginThrottle.forgive(
      account: "(select id from owner)", address: "$4::text", window: "$16", if: "exists (select from owner)"))
    select \(Viewer.column), other.has_it, \(LetterThrottle.columns("change", for: .owner))
    from owner as viewer
    cross join other
    cross join blocked
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(Int32(clamping: candidate.epoch))
    parameters.append(email.stored)
    parameters.append(address.bucket)
    parameters.append(allowances)
    parameters.append(link)
    parameters.append(notice)
    parameters.append(stamp)
    parameters.append(email.folded)
    parameters.append(candidate.window)
  }

  public func found(in rows: Rows) -> Counted<Outcome> {
    var row = rows[0]
    row.skip()
    guard !row.bool() else { return .allowed(.taken) }
    return Counted(&row) { _ in .mailed }
  }
}
