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
  /// address, `$9` in a row per account, from all addresses together.
  ///
  /// After so many in a row one attempt a minute is left, but not for an address where the account has a session: those
  /// who attack an account from many places do not lock its owner out at home.
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
    subject as (
      select coalesce((select known.id::text from known), $3::text) as login,
             exists (
               select from session join known on known.id = session.account_id
               where session.ip <<= $4::text::cidr and session.epoch = known.session_epoch and session.expires_at > now()
             ) as is_at_home
    ),
    blocked as (
      select max(until) as until
      from (
        \(Throttle.spentUntil("login_account_address", subject: pair, max: "$7::integer"))
        union all
        \(Throttle.spentUntil("login_address", subject: "$4::text", max: "$5::integer"))
        union all
        select last_used_at + interval '1 minute' from throttle, subject
        where rule = 'login_account' and throttle.subject = subject.login and used >= $9::integer and $9::integer > 0
          and last_used_at > now() - interval '1 minute' and not subject.is_at_home
      ) as spent
    ),
    start as (
      select true from blocked where until is null
    ),
    \(Throttle.count("login_account_address", subject: pair, max: "$7::integer", seconds: "$8::double precision", after: "start")),
    \(Throttle.count("login_address", subject: "$4::text", max: "$5::integer", seconds: "$6::double precision", after: "login_account_address_passed")),
    login_account_counted as (
      insert into throttle as seen (rule, subject, used, resets_at)
      select 'login_account', subject.login, 1, now() + interval '1 day'
      from login_address_passed, subject where $9::integer > 0
      on conflict (rule, subject) do update
      set used = case when seen.resets_at <= now() then 1 else seen.used + 1 end,
          resets_at = excluded.resets_at, last_used_at = now()
      where seen.resets_at <= now() or seen.used < $9::integer or seen.last_used_at <= now() - interval '1 minute'
         or (select is_at_home from subject)
      returning true
    ),
    login_account_passed as (
      select true from login_address_passed where $9::integer = 0
      union all
      select true from login_account_counted
    )
    select exists (select from login_account_passed) as allowed, \(Throttle.retryAfter("blocked.until")) as retry_after,
           known.id, known.session_epoch, known.password_hash
    from blocked
    left join known on known.is_enabled
    """

  private static let pair = "((select login from subject) || ' ' || $4::text)"

  public func bind(to parameters: inout Parameters) {
    parameters.append(login.username)
    parameters.append(login.email)
    parameters.append(loginDigest)
    parameters.append(address.bucket)
    parameters.append(allowances.perAddress)
    parameters.append(allowances.perAccountAndAddress)
    parameters.append(Int32(clamping: allowances.inARowPerAccount))
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

/// The account that a login names, and what its password must match.
public struct LoginCandidate: Sendable {
  public let id: AccountID
  /// The account's epoch now: a session that is opened later is good only if it is still the same then.
  public let epoch: Int
  public let passwordHash: PasswordHash

  init?(_ row: inout Row) {
    guard let id: AccountID = row.optionalID() else { return nil }
    self.id = id
    epoch = row.int32()
    passwordHash = PasswordHash(stored: row.text())
  }
}
