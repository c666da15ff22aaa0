public import Postgres
public import Secrets
public import Values

/// Counts an attempt to prove who one is while signed in, and finds the credential to compare the password with.
///
/// It counts just like a log-in to the viewer's account (see ``AttemptLogin``). The statement that goes on with the
/// request gives the attempt back, by `LoginThrottle.forgive`.
public struct AttemptPassword: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let address: ClientAddress
  public let allowances: LoginAllowances

  public init(token: TokenDigest, address: ClientAddress, allowances: LoginAllowances) {
    self.token = token
    self.address = address
    self.allowances = allowances
  }

  /// `$2` the address's bucket, `$3` to `$7` the allowances.
  public static let sql = """
    with \(Viewer.expression),
    known as (
      select id, session_epoch from viewer
    ),
    \(LoginThrottle.subject("viewer.id::text", from: "from viewer", address: place.address)),
    \(LoginThrottle.count(place))
    select \(Viewer.column), exists (select from login_account_passed) as allowed,
           \(Throttle.spent(LoginThrottle.rule)),
           viewer.id, viewer.session_epoch, credential.password_hash, viewer.username, viewer.email,
           \(LoginThrottle.window)
    from viewer
    cross join blocked
    join credential on credential.account_id = viewer.id
    """

  private static let place = LoginThrottle.Placeholders(from: 2)

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(address.bucket)
    parameters.append(allowances)
  }

  public func found(in rows: Rows) -> Counted<PasswordCandidate> {
    var row = rows[0]
    row.skip()
    return Counted(&row) { PasswordCandidate(&$0) }
  }
}

/// The viewer's account, what its password must match, and the names that a new password may not equal.
public struct PasswordCandidate: Sendable {
  public let id: AccountID
  /// The account's epoch now: what follows holds only if it is still the same then.
  public let epoch: Int
  public let passwordHash: PasswordHash
  public let username: String
  public let email: String
  /// Where the attempt was counted.
  let window: CountWindow

  init(_ row: inout Row) {
    id = row.id()
    epoch = row.int32()
    passwordHash = PasswordHash(stored: row.text())
    username = row.text()
    email = row.text()
    window = CountWindow(&row)
  }
}
