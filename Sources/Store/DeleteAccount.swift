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

  /// `$2` the epoch, `$3` the address's bucket, `$4` `$5` the stamp.
  public static let sql = """
    with \(Viewer.expression),
    deleted as (
      delete from account using viewer
      where account.id = viewer.id and account.session_epoch = $2::integer
      returning account.id
    ),
    \(Departure.settleCounts),
    \(LoginThrottle.forgive(
      account: "(select id from deleted)", address: "$3::text", if: "exists (select from deleted)")),
    \(Audit.record(.accountDeleted, id: "$4", address: "$5", account: "deleted.id", from: "deleted"))
    select \(Viewer.column), exists (select from deleted) as is_deleted
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(Int32(clamping: candidate.epoch))
    parameters.append(address.bucket)
    parameters.append(stamp)
  }

  public func found(in rows: Rows) -> Bool {
    var row = rows[0]
    row.skip()
    return row.bool()
  }
}

/// The shared part of statements that delete an account, `deleted`.
enum Departure {
  /// Common table expressions that keep what is counted of others' right. Foreign keys take the rest with the account.
  ///
  /// The likes are deleted here and not by the foreign key, since each must be seen to go in order to be counted: one
  /// that is taken back at the same moment is counted there.
  static let settleCounts = """
    unliked as (
      delete from tweet_like using deleted where tweet_like.account_id = deleted.id returning tweet_like.tweet_id
    ),
    uncounted as (
      update tweet set like_count = like_count - 1 from unliked where tweet.id = unliked.tweet_id
    )
    """
}
