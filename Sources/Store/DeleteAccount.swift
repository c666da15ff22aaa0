public import Postgres
public import Secrets
public import Values

/// Deletes the viewer's account with all that is its own, once its password has been found right. What it has liked
/// counts one less. Of the account only its events in the audit stay, for as long as those are kept.
///
/// False: the password, or the account's sessions, have changed since the password was looked up.
public struct DeleteAccount: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let candidate: PasswordCandidate
  public let address: ClientAddress
  public let stamp: AuditStamp

  public init(token: TokenDigest, candidate: PasswordCandidate, address: ClientAddress, stamp: AuditStamp) {
    self.token = token
    self.candidate = candidate
    self.address = address
    self.stamp = stamp
  }

  /// `$2` the epoch, `$3` the address's bucket, `$4` `$5` the stamp, `$6` the window that the attempt was
  /// counted in.
  public static let sql = """
    with \(Viewer.expression),
    \(Settling.accounts(of: "viewer")),
    \(Settling.tweets(of: "viewer")),
    deleted as (
      delete from account using viewer
      where account.id = viewer.id and account.session_epoch = $2::integer and \(Settling.tweetsAreLocked)
      returning account.id
    ),
    \(LoginThrottle.forgive(
      account: "(select id from deleted)", address: "$3::text", window: "$6", if: "exists (select from deleted)")),
    \(Audit.record(.accountDeleted, id: "$4", address: "$5", account: "deleted.id", from: "deleted"))
    select \(Viewer.column), exists (select from deleted) as is_deleted
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(Int32(clamping: candidate.epoch))
    parameters.append(address.bucket)
    parameters.append(stamp)
    parameters.append(candidate.window)
  }
}
