public import Postgres
public import Values

/// Notes that a password was wrong, or that there is no such account to have one. The same work for either.
public struct NoteFailedLogin: WriteStatement {
  /// Nil when the login was nobody's.
  public let account: AccountID?
  public let stamp: AuditStamp

  public init(account: AccountID?, stamp: AuditStamp) {
    self.account = account
    self.stamp = stamp
  }

  public static let sql = """
    with \(Audit.record(.logInFailed, id: "$1", address: "$2", account: "$3::uuid", from: "(select) as always"))
    select
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(stamp)
    parameters.append(account)
  }

  public func decode(_ rows: Rows) {}
}
