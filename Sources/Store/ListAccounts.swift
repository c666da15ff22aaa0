public import Postgres
public import Values

/// A page of all accounts, newest first, for an operator.
public struct ListAccounts: ReadStatement {
  /// Only those that are older than this one.
  public let before: AccountID?
  public let limit: Int

  public init(before: AccountID?, limit: Int) {
    self.before = before
    self.limit = limit
  }

  public static let sql = """
    select \(OperatedAccount.columns)
    from account
    where account.id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by account.id desc
    limit $2::bigint
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(before)
    parameters.append(Int64(limit))
  }

  public func decode(_ rows: Rows) -> [OperatedAccount] {
    rows.map { OperatedAccount(&$0) }
  }
}
