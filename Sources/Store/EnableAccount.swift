import Postgres
import Values

/// Lets the owner of an account that was disabled log in again. False: there is no such account.
public struct EnableAccount: OperatorStatement {
  public let named: NamedAccount
  public let stamp: AuditStamp

  public init(named: NamedAccount, stamp: AuditStamp) {
    self.named = named
    self.stamp = stamp
  }

  public static let sql = """
    with \(NamedAccount.expression),
    \(Settling.accounts(of: "named")),
    enabled as (
      update account set disabled_at = null from named
      where account.id = named.id and account.disabled_at is not null and \(Settling.accountsAreLocked)
      returning account.id
    ),
    \(Audit.record(.accountEnabled, id: "$4", address: "$5", account: "enabled.id", from: "enabled"))
    select from named
    """
}
