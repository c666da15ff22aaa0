public import Postgres
public import Secrets
public import Values

/// Gives an account another password: its sessions end, links that were mailed are void, but for those that verify its
/// own address, and the owner is told. False: there is no such account.
public struct SetPassword: WriteStatement {
  public let named: NamedAccount
  public let passwordHash: PasswordHash
  public let letter: LetterID
  public let stamp: AuditStamp

  public init(named: NamedAccount, passwordHash: PasswordHash, letter: LetterID, stamp: AuditStamp) {
    self.named = named
    self.passwordHash = passwordHash
    self.letter = letter
    self.stamp = stamp
  }

  /// `$4` the hash, `$5` the letter, `$6` `$7` the stamp.
  public static let sql = """
    with \(NamedAccount.expression),
    changed as (
      update account set session_epoch = account.session_epoch + 1 from named where account.id = named.id
      returning account.*
    ),
    replaced as (
      update credential set password_hash = $4::text, changed_at = now()
      from changed where credential.account_id = changed.id
    ),
    ended as (
      delete from session using changed where session.account_id = changed.id
    ),
    voided as (
      delete from link using changed where link.account_id = changed.id and \(Links.areBoundToEpoch)
    ),
    forgiven as (
      delete from throttle using changed where rule = 'login_account' and subject = changed.id::text
    ),
    \(Outbox.write(.passwordChanged, id: "$5", from: "changed as account")),
    \(Audit.record(.passwordChanged, id: "$6", address: "$7", account: "changed.id", from: "changed"))
    select from changed
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(named)
    parameters.append(passwordHash.text)
    parameters.append(letter)
    parameters.append(stamp)
  }

  public func decode(_ rows: Rows) -> Bool { rows.count > 0 }
}
