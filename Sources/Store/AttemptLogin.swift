public import Postgres
public import Secrets
public import Values

/// Counts an attempt to log in, and finds the credential to compare the password with.
///
/// The attempt counts before the password is looked at, so that many at once cannot slip past a limit; ``OpenSession``
/// gives it back. An attempt that is refused here counts nowhere. A login that is nobody's is counted just like an
/// account, under a digest, so that the limits do not tell which logins exist.
public struct AttemptLogin: WriteStatement {
  public let login: LoginName
  /// What a login that is nobody's is counted under.
  public let loginDigest: String
  public let address: ClientAddress
  public let allowances: LoginAllowances

  public init(login: LoginName, loginDigest: String, address: ClientAddress, allowances: LoginAllowances) {
    self.login = login
    self.loginDigest = loginDigest
    self.address = address
    self.allowances = allowances
  }

  /// `$1` username, `$2` email, `$3` digest of the login, `$4` address, `$5` `$6` per address, `$7` `$8` per account and
  /// address, `$9` in a row per account, from all addresses together. See ``LoginThrottle``.
  public static let sql = """
    with known as (
      select account.id, account.session_epoch, account.disabled_at is null as is_enabled, credential.password_hash
      from account
      join credential on credential.account_id = account.id
      where account.id = (
        select id from account where username = $1::text
        union all
        select id from account where email_folded = $2::text
        limit 1
      )
    ),
    \(LoginThrottle.subject("coalesce((select known.id::text from known), $3::text)", from: "", address: place.address)),
    \(LoginThrottle.count(place))
    select exists (select from login_account_passed) as allowed, \(Throttle.spent(LoginThrottle.rule)),
           known.id, known.session_epoch, known.password_hash, \(LoginThrottle.window)
    from blocked
    left join known on known.is_enabled
    """

  private static let place = LoginThrottle.Placeholders(from: 4)

  public func bind(to parameters: inout Parameters) {
    parameters.append(login.username)
    parameters.append(login.email)
    parameters.append(loginDigest)
    parameters.append(address.bucket)
    parameters.append(allowances)
  }

  public func decode(_ rows: Rows) -> Counted<LoginCandidate?> {
    var row = rows[0]
    return Counted(&row) { LoginCandidate(&$0) }
  }
}

/// How often a log-in may fail.
public struct LoginAllowances: Sendable, Equatable {
  public let perAddress: Allowance
  public let perAccountAndAddress: Allowance
  /// From all addresses together; after so many each further attempt waits a minute. 0 sets no limit.
  public let inARowPerAccount: Int

  public init(perAddress: Allowance, perAccountAndAddress: Allowance, inARowPerAccount: Int) {
    self.perAddress = perAddress
    self.perAccountAndAddress = perAccountAndAddress
    self.inARowPerAccount = inARowPerAccount
  }
}

extension Parameters {
  /// Five parameters, in the order of ``LoginThrottle/Placeholders``.
  mutating func append(_ allowances: LoginAllowances) {
    append(allowances.perAddress)
    append(allowances.perAccountAndAddress)
    append(Int32(clamping: allowances.inARowPerAccount))
  }
}

/// The account that a login names, and what its password must match.
public struct LoginCandidate: Sendable {
  public let id: AccountID
  /// The account's epoch now: a session that is opened later is good only if it is still the same then.
  public let epoch: Int
  public let passwordHash: PasswordHash
  /// Where the attempt was counted.
  let window: CountWindow

  init?(_ row: inout Row) {
    guard let id: AccountID = row.optionalID() else { return nil }
    self.id = id
    epoch = row.int32()
    passwordHash = PasswordHash(stored: row.text())
    window = CountWindow(&row)
  }
}
