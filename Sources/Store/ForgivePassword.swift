public import Postgres
public import Secrets
public import Values

/// Gives back the attempt that ``AttemptPassword`` counted: the password was right, but what it was asked for is refused
/// by a rule.
public struct ForgivePassword: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let candidate: PasswordCandidate
  public let address: ClientAddress

  public init(token: TokenDigest, candidate: PasswordCandidate, address: ClientAddress) {
    self.token = token
    self.candidate = candidate
    self.address = address
  }

  /// `$2` the epoch, `$3` the address's bucket, `$4` the window that the attempt was counted in.
  public static let sql = """
    with \(Viewer.expression),
    owner as (
      select id from viewer where session_epoch = $2::integer
    ),
    \(LoginThrottle.forgive(
      account: "(select id from owner)", address: "$3::text", window: "$4", if: "exists (select from owner)"))
    select \(Viewer.column) from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(Int32(clamping: candidate.epoch))
    parameters.append(address.bucket)
    parameters.append(candidate.window)
  }

  public func found(in rows: Rows) {}
}
