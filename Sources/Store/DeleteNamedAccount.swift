import Postgres
import Values

/// Deletes an account with all that is its own, as ``DeleteAccount`` does. False: there is no such account.
public struct DeleteNamedAccount: OperatorStatement {
  public let named: NamedAccount
  public let stamp: AuditStamp

  public init(named: NamedAccount, stamp: AuditStamp) {
    self.named = named
    self.stamp = stamp
  }

  public static let sql = """
    with \(NamedAccount.expression),
    \(Settling.accounts(of: "named")),
    \(Settling.tweets(of: "named")),
    deleted as (
      delete from account using named where account.id = named.id and \(Settling.tweetsAreLocked)
      returning account.id
    ),
    \(Audit.record(.accountDeleted, id: "$4", address: "$5", account: "deleted.id", from: "deleted"))
    select from deleted
    """
}
