public import Postgres
public import Secrets

/// Takes the viewer's profile photo away. Answers whether there was one.
///
/// The file goes with the account's mark, by the trigger `avatar_goes`: it sees what another statement has written
/// meanwhile, which this one's own snapshot would not.
public struct RemoveAvatar: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let stamp: AuditStamp

  public init(token: TokenDigest, stamp: AuditStamp) {
    self.token = token
    self.stamp = stamp
  }

  /// `$2` `$3` stamp.
  public static let sql = """
    with \(Viewer.expression),
    changed as (
      update account set avatar_sha256 = null from viewer
      where account.id = viewer.id and account.avatar_sha256 is not null
      returning account.id
    ),
    \(Audit.record(.photoRemoved, id: "$2", address: "$3", account: "changed.id", from: "changed"))
    select \(Viewer.column), exists (select from changed) as is_removed
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(stamp)
  }
}
