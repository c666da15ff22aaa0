public import Postgres
public import Secrets

/// The viewer's own account.
public struct ReadAccount: ViewerStatement, ReadStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  public static let sql = """
    with \(Viewer.expression)
    select account.touch_due, \(AccountRow.columns)
    from viewer as account
    """

  public func found(in rows: Rows) -> AccountRow {
    var row = rows[0]
    row.skip()
    return AccountRow(&row)
  }
}
