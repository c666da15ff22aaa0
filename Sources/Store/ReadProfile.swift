public import Postgres
public import Secrets
public import Values

/// The profile of the account with this name, or nil when there is none, or it is disabled.
public struct ReadProfile: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  /// Nil: what was asked for can be nobody's name.
  public let username: Username?

  public init(token: TokenDigest, username: Username?) {
    self.token = token
    self.username = username
  }

  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), \(ProfileRow.columns)
    from viewer
    left join account on account.username = $2::text and account.disabled_at is null
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
  }

  public func found(in rows: Rows) -> ProfileRow? {
    var row = rows[0]
    row.skip()
    return row.isNextNull ? nil : ProfileRow(&row)
  }
}
