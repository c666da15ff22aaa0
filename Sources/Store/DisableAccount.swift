import Postgres
import Values

/// Disables an account: nobody logs in to it, its sessions end at once and for good, and links that were mailed are
/// void. False: there is no such account.
public struct DisableAccount: OperatorStatement {
  public let named: NamedAccount
  public let stamp: AuditStamp

  public init(named: NamedAccount, stamp: AuditStamp) {
    self.named = named
    self.stamp = stamp
  }

  public static let sql = """
    with \(NamedAccount.expression),
    \(Settling.accounts(of: "named")),
    disabled as (
      update account set disabled_at = now(), session_epoch = account.session_epoch + 1 from named
      where account.id = named.id and account.disabled_at is null and \(Settling.accountsAreLocked)
      returning account.id
    ),
    ended as (
      delete from session using disabled where session.account_id = disabled.id
    ),
    voided as (
      delete from link using disabled where link.account_id = disabled.id
    ),
    \(Audit.record(.accountDisabled, id: "$4", address: "$5", account: "disabled.id", from: "disabled"))
    select from named
    """
}
