public import Postgres
public import Secrets

/// A profile photo by the SHA-256 of its file, for anybody; nil when no account that is not disabled has it.
public struct ReadAvatar: ReadStatement {
  public let digest: SHA256Digest

  public init(digest: SHA256Digest) { self.digest = digest }

  public static let sql = """
    select avatar.jpeg from avatar
    join account on account.id = avatar.account_id and account.disabled_at is null
    where avatar.sha256 = $1::bytea
    limit 1
    """

  public func bind(to parameters: inout Parameters) {
    digest.withBytes { parameters.append(raw: $0) }
  }

  /// The JPEG file.
  public func decode(_ rows: Rows) -> [UInt8]? {
    guard var row = rows.first else { return nil }
    return row.optionalBytes()
  }
}
