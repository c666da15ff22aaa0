public import Postgres
public import Secrets
public import Values

/// Changes the viewer's profile: what is given, and nothing else.
///
/// Of two who want one username at the same moment the later one is refused by the constraint
/// `account_username_key`, which reads as ``Found/taken`` does.
public struct ChangeProfile: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  /// Nil: it stays.
  public let username: Username?
  public let fullName: Change<FullName>
  public let bio: Change<Bio>
  public let stamp: AuditStamp

  public init(
    token: TokenDigest, username: Username?, fullName: Change<FullName>, bio: Change<Bio>, stamp: AuditStamp
  ) {
    self.token = token
    self.username = username
    self.fullName = fullName
    self.bio = bio
    self.stamp = stamp
  }

  /// What becomes of a value that may be absent.
  public enum Change<Value: Sendable>: Sendable {
    case stays
    /// Nil: from now on there is none.
    case becomes(Value?)
  }

  /// What became of it.
  public enum Outcome: Sendable, Equatable {
    case changed(AccountRow)
    /// Another account has the username.
    case taken
  }

  /// `$2` username, `$3` `$4` whether the full name changes, and to what, `$5` `$6` the same of the bio, `$7` `$8` stamp.
  ///
  /// The event names the fields that are different now, and both usernames; nothing different is no event.
  public static let sql = """
    with \(Viewer.expression),
    changed as (
      update account
      set username = coalesce($2::text, account.username),
          full_name = case when $3::boolean then $4::text else account.full_name end,
          bio = case when $5::boolean then $6::text else account.bio end
      from viewer
      where account.id = viewer.id
        and not exists (select from account as other where other.username = $2::text and other.id <> viewer.id)
      returning account.*
    ),
    difference as (
      select changed.id,
             concat_ws(
               ', ',
               case when changed.username <> viewer.username
                 then 'username ' || viewer.username || ' to ' || changed.username end,
               case when changed.full_name is distinct from viewer.full_name then 'fullName' end,
               case when changed.bio is distinct from viewer.bio then 'bio' end) as fields
      from changed
      join viewer on viewer.id = changed.id
    ),
    noted as (
      select id, fields from difference where fields <> ''
    ),
    \(Audit.record(.profileChanged, id: "$7", address: "$8", account: "noted.id", detail: "noted.fields", from: "noted"))
    select \(Viewer.column), \(AccountRow.columns)
    from viewer
    left join changed as account on true
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(username?.text)
    parameters.append(fullName) { $0.text }
    parameters.append(bio) { $0.text }
    parameters.append(stamp)
  }

  public func found(in rows: Rows) -> Outcome {
    var row = rows[0]
    row.skip()
    return row.isNextNull ? .taken : .changed(AccountRow(&row))
  }
}

extension Parameters {
  /// Two parameters: whether it changes, and the new text or null.
  fileprivate mutating func append<Value>(_ change: ChangeProfile.Change<Value>, _ text: (Value) -> String) {
    switch change {
    case .stays:
      append(false)
      appendNull()
    case .becomes(let value):
      append(true)
      append(value.map(text))
    }
  }
}
