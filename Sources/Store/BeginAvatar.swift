import Postgres
public import Secrets

/// Counts an upload of a profile photo, before it is decoded.
public struct BeginAvatar: BeginStatement {
  public let token: TokenDigest
  public let allowance: Allowance

  public init(token: TokenDigest, allowance: Allowance) {
    self.token = token
    self.allowance = allowance
  }

  public static let sql = count("avatar_account")
}
