public import Postgres
public import Secrets

/// The viewer's account itself and the time, as a JSON object that PostgreSQL writes; the lists of
/// ``ExportListStatement`` belong into it.
/// Secrets, and digests and hashes of them, are not in it.
public struct ExportAccount: ViewerStatement, ReadStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), json_build_object(
      'exportedAt', \(ExportedTime.text("now()")),
      'account', json_build_object(
        'id', viewer.id, 'username', viewer.username, 'email', viewer.email,
        'emailVerifiedAt', \(ExportedTime.text("viewer.email_verified_at")), 'fullName', viewer.full_name,
        'bio', viewer.bio, 'language', viewer.language, 'createdAt', \(ExportedTime.text("viewer.created_at")),
        'passwordChangedAt', (
          select \(ExportedTime.text("changed_at")) from credential where credential.account_id = viewer.id
        ),
        'followers', viewer.follower_count, 'following', viewer.following_count, 'tweets', viewer.tweet_count,
        'photo', (
          select translate(encode(avatar.jpeg, 'base64'), E'\\n', '') from avatar where avatar.account_id = viewer.id
        )
      )
    )::text
    from viewer
    """

  public func found(in rows: Rows) -> String {
    var row = rows[0]
    row.skip()
    return row.text()
  }
}

enum ExportedTime {
  /// RFC 3339 in UTC with three fraction digits, as everywhere in the API, as SQL.
  static func text(_ expression: String) -> String {
    "to_char(\(expression) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
  }
}
