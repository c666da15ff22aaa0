public import Postgres
public import Secrets

/// Ends the session of a token. Answers whether there was one.
public struct EndSession: WriteStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  public static let sql = "delete from session where token_digest = $1::bytea returning id"

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
  }

  public func decode(_ rows: Rows) -> Bool { rows.count > 0 }
}
