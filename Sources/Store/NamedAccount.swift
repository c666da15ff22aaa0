public import Postgres
public import Values

/// How an operator names an account: by its id, its username or its email address.
public struct NamedAccount: Sendable {
  public let id: AccountID?
  public let login: LoginName

  /// Takes what an operator typed: an id, an email address or a username.
  public init(_ text: String) {
    id = AccountID(text)
    login = LoginName(text)
  }

  /// The common table expression `named`: the account's row, or no row. It takes the first three parameters.
  static let expression = """
    named as (
      select account.* from account
      where account.id = coalesce(
        $1::uuid, (select id from account where username = $2::text),
        (select id from account where email_folded = $3::text))
    )
    """
}

extension Parameters {
  /// Three parameters: id, username and email, of which one at most is not null.
  mutating func append(_ named: NamedAccount) {
    append(named.id)
    append(named.id == nil ? named.login.username : nil)
    append(named.id == nil ? named.login.email : nil)
  }
}

/// Something that an operator does to an account, and that stands in the audit.
public protocol OperatorStatement: WriteStatement {
  var named: NamedAccount { get }
  var stamp: AuditStamp { get }
}

extension OperatorStatement {
  /// `$1` to `$3` the account, `$4` `$5` the stamp.
  public func bind(to parameters: inout Parameters) {
    parameters.append(named)
    parameters.append(stamp)
  }
}

extension OperatorStatement where Answer == Bool {
  /// False: there is no such account.
  public func decode(_ rows: Rows) -> Bool { rows.count > 0 }
}

/// An account as an operator sees it.
public struct OperatedAccount: Sendable, Equatable {
  public let account: AccountRow
  public let isDisabled: Bool
  /// How many sessions are good now.
  public let sessions: Int

  /// The select list that ``init(_:)`` reads, from a relation named `account`.
  static let columns = """
    \(AccountRow.columns), account.disabled_at is not null as is_disabled,
    (
      select count(*)::integer from session
      where session.account_id = account.id and session.epoch = account.session_epoch and session.expires_at > now()
    ) as sessions
    """

  init(_ row: inout Row) {
    account = AccountRow(&row)
    isDisabled = row.bool()
    sessions = row.int32()
  }
}
