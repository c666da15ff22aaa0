public import Postgres
public import Secrets

/// Counts an export against the viewer's limit, before ``ExportAccount`` reads all there is.
public struct BeginExport: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let allowance: Allowance

  public init(token: TokenDigest, allowance: Allowance) {
    self.token = token
    self.allowance = allowance
  }

  /// `$2` `$3` the allowance.
  public static let sql = """
    with \(Viewer.expression),
    blocked as (
      select max(until) as until from (\(Throttle.spentUntil("export_account", subject: subject, max: "$2::integer"))) as spent
    ),
    start as (
      select true from viewer, blocked where blocked.until is null
    ),
    \(Throttle.count("export_account", subject: subject, max: "$2::integer", seconds: "$3::double precision", after: "start"))
    select \(Viewer.column), exists (select from export_account_passed) as allowed,
           \(Throttle.retryAfter("blocked.until")) as retry_after
    from viewer
    cross join blocked
    """

  private static let subject = "(select id::text from viewer)"

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(allowance)
  }

  public func found(in rows: Rows) -> Counted<Void> {
    var row = rows[0]
    row.skip()
    return Counted(&row) { _ in }
  }
}
