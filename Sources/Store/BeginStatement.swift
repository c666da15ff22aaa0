public import Postgres
public import Secrets

/// Counts something costly against a limit of the viewer's, before any work is done on it: whoever is not signed in
/// costs a look-up and no more.
public protocol BeginStatement: ViewerStatement, WriteStatement where Found == Counted<Void> {
  init(token: TokenDigest, allowance: Allowance)

  /// How often it may be done.
  var allowance: Allowance { get }
}

extension BeginStatement {
  /// `$2` `$3` the allowance.
  static func count(_ rule: String) -> String {
    """
    with \(Viewer.expression),
    blocked as (
      select max(until) as until from (\(Throttle.spentUntil(rule, subject: subject, max: "$2::integer"))) as spent
    ),
    start as (
      select true from viewer, blocked where blocked.until is null
    ),
    \(Throttle.count(rule, subject: subject, max: "$2::integer", seconds: "$3::double precision", after: "start"))
    select \(Viewer.column), exists (select from \(rule)_passed) as allowed,
           \(Throttle.spent("'\(rule)'"))
    from viewer
    cross join blocked
    """
  }

  private static var subject: String { "(select id::text from viewer)" }

  /// The allowance.
  public func bindRest(to parameters: inout Parameters) {
    parameters.append(allowance)
  }

  /// Whether it may be done now, or when.
  public func found(in rows: Rows) -> Counted<Void> {
    var row = rows[0]
    row.skip()
    return Counted(&row) { _ in }
  }
}
