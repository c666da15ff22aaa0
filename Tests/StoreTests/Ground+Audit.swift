import Store
import Values

extension Ground {
  /// A new stamp, from home.
  var stamp: AuditStamp { AuditStamp(id: ids.next(), address: Self.home) }

  /// The events of a kind, oldest first: account, address and detail, or `-`.
  func events(_ kind: AuditKind) throws -> [String] {
    try rows(
      "select concat_ws(' ', coalesce(account_id::text, '-'), coalesce(host(ip), '-'), coalesce(detail, '-')) "
        + "from audit_event where kind = $1 order by id", [kind.rawValue]
    ).map { $0[0] ?? "" }
  }
}
