import Postgres
public import Secrets

/// Counts an export, before ``ExportAccount`` and the lists read all there is.
public struct BeginExport: BeginStatement {
  public let token: TokenDigest
  public let allowance: Allowance

  public init(token: TokenDigest, allowance: Allowance) {
    self.token = token
    self.allowance = allowance
  }

  public static let sql = count("export_account")
}
