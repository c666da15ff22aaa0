public import Postgres
public import Secrets
public import Values

/// Replaces the viewer's password, once the present one has been found right: all other sessions end, links that were
/// mailed are void, but for those that verify the account's own address, the attempt is given back, and the owner is
/// told.
///
/// False: the password, or the account's sessions, have changed since the present one was looked up. What is under way
/// with the old password, a log-in for instance, then opens nothing, since it carries the old epoch.
public struct ChangePassword: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let candidate: PasswordCandidate
  public let passwordHash: PasswordHash
  public let address: ClientAddress
  public let letter: LetterID
  public let stamp: AuditStamp

  public init(
    token: TokenDigest, candidate: PasswordCandidate, passwordHash: PasswordHash, address: ClientAddress,
    letter: LetterID, stamp: AuditStamp
  ) {
    self.token = token
    self.candidate = candidate
    self.passwordHash = passwordHash
    self.address = address
    self.letter = letter
    self.stamp = stamp
  }

  /// `$2` the epoch, `$3` the hash, `$4` the address's bucket, `$5` the letter, `$6` `$7` the stamp, `$8` the
  /// window that the attempt was counted in.
  public static let sql = """
    with \(Viewer.expression),
    changed as (
      update account set session_epoch = account.session_epoch + 1 from viewer
      where account.id = viewer.id and account.session_epoch = $2::integer
      returning account.*
    ),
    replaced as (
      update credential set password_hash = $3::text, changed_at = now()
      from changed where credential.account_id = changed.id
    ),
    kept as (
      update session set epoch = changed.session_epoch
      from changed where session.account_id = changed.id and session.token_digest = $1
    ),
    ended as (
      delete from session using changed where session.account_id = changed.id and session.token_digest <> $1
    ),
    voided as (
      delete from link using changed where link.account_id = changed.id and \(Links.areBoundToEpoch)
    ),
    \(LoginThrottle.forgive(
      account: "(select id from changed)", address: "$4::text", window: "$8", if: "exists (select from changed)")),
    \(Outbox.write(.passwordChanged, id: "$5", from: "changed as account")),
    \(Audit.record(.passwordChanged, id: "$6", address: "$7", account: "changed.id", from: "changed"))
    select \(Viewer.column), exists (select from changed) as is_changed
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(Int32(clamping: candidate.epoch))
    parameters.append(passwordHash.text)
    parameters.append(address.bucket)
    parameters.append(letter)
    parameters.append(stamp)
    parameters.append(candidate.window)
  }
}
