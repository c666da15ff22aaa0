public import Postgres
import Values

/// The account of this name, for an operator; nil when there is none.
public struct ReadNamedAccount: ReadStatement {
  public let named: NamedAccount

  public init(named: NamedAccount) { self.named = named }

  public static let sql = """
    with \(NamedAccount.expression)
    select \(OperatedAccount.columns) from named as account
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(named)
  }

  public func decode(_ rows: Rows) -> OperatedAccount? {
    rows.first.map { first in
      var row = first
      return OperatedAccount(&row)
    }
  }
}
