public import Postgres
public import Secrets
public import Values

/// Ends a session of the viewer's, also the one that asks. False: none is listed with this id, or it is another's.
public struct EndOneSession: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let id: SessionID
  public let stamp: AuditStamp

  public init(token: TokenDigest, id: SessionID, stamp: AuditStamp) {
    self.token = token
    self.id = id
    self.stamp = stamp
  }

  public static let sql = """
    with \(Viewer.expression),
    ended as (
      delete from session using viewer
      where session.id = $2::uuid and session.account_id = viewer.id and session.epoch = viewer.session_epoch
        and session.expires_at > now()
      returning session.account_id
    ),
    \(Audit.record(.sessionEnded, id: "$3", address: "$4", account: "ended.account_id", from: "ended"))
    select \(Viewer.column), exists (select from ended) as is_ended
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(id)
    parameters.append(stamp)
  }
}
