public import Postgres
public import Secrets
public import Values

/// Redeems a link that was mailed for it: the password is replaced, every session ends, every other link is void, the
/// attempts that failed are forgiven, and the owner is told. False: there is no such link, or no more.
///
/// The owner has read mail at the address, so it is verified as well.
public struct ResetPassword: WriteStatement {
  public let token: TokenDigest
  public let passwordHash: PasswordHash
  public let address: ClientAddress
  public let letter: LetterID
  public let stamp: AuditStamp

  public init(
    token: TokenDigest, passwordHash: PasswordHash, address: ClientAddress, letter: LetterID, stamp: AuditStamp
  ) {
    self.token = token
    self.passwordHash = passwordHash
    self.address = address
    self.letter = letter
    self.stamp = stamp
  }

  /// `$1` the token, `$2` the hash, `$3` the address's bucket, `$4` the letter, `$5` `$6` the stamp. Deleting the row is
  /// what makes the link good once: of many at the same moment one finds it.
  public static let sql = """
    with used as (
      delete from link using account
      where link.token_digest = $1::bytea and link.purpose = 'password_reset' and link.expires_at > now()
        and account.id = link.account_id and account.session_epoch = link.epoch and account.email = link.email
        and account.disabled_at is null
      returning link.account_id
    ),
    owner as (
      update account
      set session_epoch = session_epoch + 1, email_verified_at = coalesce(email_verified_at, now())
      from used where account.id = used.account_id
      returning account.*
    ),
    replaced as (
      update credential set password_hash = $2::text, changed_at = now()
      from owner where credential.account_id = owner.id
    ),
    ended as (
      delete from session using owner where session.account_id = owner.id
    ),
    voided as (
      delete from link using owner where link.account_id = owner.id and link.token_digest <> $1::bytea
    ),
    pair_forgiven as (
      delete from throttle using owner
      where rule = 'login_account_address' and subject = owner.id::text || ' ' || $3::text
      returning true
    ),
    account_forgiven as (
      delete from throttle using owner
      where rule = 'login_account' and subject = owner.id::text and (select count(*) from pair_forgiven) >= 0
    ),
    \(Outbox.write(.passwordChanged, id: "$4", from: "owner as account")),
    \(Audit.record(.passwordReset, id: "$5", address: "$6", account: "owner.id", from: "owner"))
    select exists (select from owner) as is_reset
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
    parameters.append(passwordHash.text)
    parameters.append(address.bucket)
    parameters.append(letter)
    parameters.append(stamp)
  }

  public func decode(_ rows: Rows) -> Bool {
    var row = rows[0]
    return row.bool()
  }
}
