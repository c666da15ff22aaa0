public import Postgres
public import Secrets

/// Ends the session of a token. Answers whether there was one.
public struct EndSession: WriteStatement {
  public let token: TokenDigest
  public let stamp: AuditStamp

  public init(token: TokenDigest, stamp: AuditStamp) {
    self.token = token
    self.stamp = stamp
  }

  public static let sql = """
    with ended as (
      delete from session where token_digest = $1::bytea returning account_id
    ),
    \(Audit.record(.signedOut, id: "$2", address: "$3", account: "ended.account_id", from: "ended"))
    select from ended
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
    parameters.append(stamp)
  }

  public func decode(_ rows: Rows) -> Bool { rows.count > 0 }
}
