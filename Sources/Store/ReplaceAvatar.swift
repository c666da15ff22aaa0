public import Postgres
public import Secrets

/// Gives the viewer a profile photo in place of the one there may be, and answers the account.
///
/// The account's row is locked first, so that of two at once one comes after the other, and just its photo is left.
public struct ReplaceAvatar: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  /// A JPEG file of at most 1 MiB.
  public let jpeg: [UInt8]
  /// That of the file.
  public let digest: SHA256Digest
  public let stamp: AuditStamp

  public init(token: TokenDigest, jpeg: [UInt8], digest: SHA256Digest, stamp: AuditStamp) {
    self.token = token
    self.jpeg = jpeg
    self.digest = digest
    self.stamp = stamp
  }

  /// `$2` digest, `$3` file, `$4` `$5` stamp.
  public static let sql = """
    with \(Viewer.expression),
    changed as (
      update account set avatar_sha256 = $2::bytea from viewer where account.id = viewer.id
      returning account.*
    ),
    kept as (
      insert into avatar (account_id, sha256, jpeg) select changed.id, $2::bytea, $3::bytea from changed
      on conflict (account_id) do update set sha256 = excluded.sha256, jpeg = excluded.jpeg, created_at = now()
    ),
    \(Audit.record(.photoChanged, id: "$4", address: "$5", account: "changed.id", from: "changed"))
    select \(Viewer.column), \(AccountRow.columns)
    from viewer
    join changed as account on account.id = viewer.id
    """

  public func bindRest(to parameters: inout Parameters) {
    digest.withBytes { parameters.append(raw: $0) }
    parameters.append(raw: jpeg)
    parameters.append(stamp)
  }

  public func found(in rows: Rows) -> AccountRow {
    var row = rows[0]
    row.skip()
    return AccountRow(&row)
  }
}
