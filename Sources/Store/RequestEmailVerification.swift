public import Postgres
public import Secrets
public import Values

/// Makes a link that verifies the viewer's address, and the letter it goes out in; nothing for an address that is
/// verified already.
public struct RequestEmailVerification: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let address: ClientAddress
  public let allowances: LetterAllowances
  public let link: MailedLink

  public init(token: TokenDigest, address: ClientAddress, allowances: LetterAllowances, link: MailedLink) {
    self.token = token
    self.address = address
    self.allowances = allowances
    self.link = link
  }

  /// `$2` the address's bucket, `$3` to `$6` the allowances, `$7` to `$9` the link.
  public static let sql = """
    with \(Viewer.expression),
    subject as (
      select id::text as name from viewer
    ),
    \(LetterThrottle.count("verification", for: .owner, from: 2)),
    asked as (
      select viewer.* from viewer, verification_account_passed where viewer.email_verified_at is null
    ),
    \(Links.make(.emailVerification, digest: "$8", from: "asked as account")),
    \(Outbox.write(.emailVerification, id: "$7", secret: "$9", from: "asked as account"))
    select \(Viewer.column), \(LetterThrottle.columns("verification", for: .owner))
    from viewer
    cross join blocked
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(address.bucket)
    parameters.append(allowances)
    parameters.append(link)
  }

  public func found(in rows: Rows) -> Counted<Void> {
    var row = rows[0]
    row.skip()
    return Counted(&row) { _ in }
  }
}
