public import Postgres
public import Secrets

/// Everything that is held about the viewer's account, as one JSON document that PostgreSQL writes. Secrets, and digests
/// and hashes of them, are not in it.
///
/// Each list has ``itemsMax`` items at most, the newest; `complete` says whether that was all.
public struct ExportAccount: ViewerStatement, ReadStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  /// The most items of a list. It bounds what one request takes: some 10 MiB when all of them are as long as they may be.
  public static let itemsMax = 5_000

  public static let sql = """
    with \(Viewer.expression),
    held_session as (
      select session.* from session join viewer on session.account_id = viewer.id
      order by session.id desc limit \(itemsMax + 1)
    ),
    held_tweet as (
      select tweet.* from tweet join viewer on tweet.author_id = viewer.id
      order by tweet.id desc limit \(itemsMax + 1)
    ),
    held_like as (
      select tweet_like.* from tweet_like join viewer on tweet_like.account_id = viewer.id
      order by tweet_like.tweet_id desc limit \(itemsMax + 1)
    ),
    held_event as (
      select audit_event.* from audit_event join viewer on audit_event.account_id = viewer.id
      order by audit_event.id desc limit \(itemsMax + 1)
    ),
    held_letter as (
      select outbox.* from outbox join viewer on outbox.account_id = viewer.id
      order by outbox.id desc limit \(itemsMax + 1)
    )
    select \(Viewer.column), json_build_object(
      'exportedAt', \(time("now()")),
      'complete', greatest(
        (select count(*) from held_session), (select count(*) from held_tweet), (select count(*) from held_like),
        (select count(*) from held_event), (select count(*) from held_letter)) <= \(itemsMax),
      'account', json_build_object(
        'id', viewer.id, 'username', viewer.username, 'email', viewer.email,
        'emailVerifiedAt', \(time("viewer.email_verified_at")), 'fullName', viewer.full_name, 'bio', viewer.bio,
        'language', viewer.language, 'createdAt', \(time("viewer.created_at")),
        'passwordChangedAt', (select \(time("changed_at")) from credential where credential.account_id = viewer.id),
        'followers', viewer.follower_count, 'following', viewer.following_count, 'tweets', viewer.tweet_count,
        'photo', (
          select translate(encode(avatar.jpeg, 'base64'), E'\\n', '') from avatar where avatar.account_id = viewer.id
        )
      ),
      'sessions', \(list("held_session", [
        ("id", "item.id"), ("createdAt", time("item.created_at")), ("lastSeenAt", time("item.last_seen_at")),
        ("expiresAt", time("item.expires_at")), ("ip", "host(item.ip)"), ("userAgent", "item.user_agent"),
      ])),
      'tweets', \(list("held_tweet", [
        ("id", "item.id"), ("text", "item.text"), ("createdAt", time("item.created_at")), ("likes", "item.like_count"),
      ])),
      'likes', \(list("held_like", by: "tweet_id", [
        ("tweetId", "item.tweet_id"), ("createdAt", time("item.created_at")),
      ])),
      'events', \(list("held_event", [
        ("id", "item.id"), ("kind", "item.kind"), ("createdAt", time("item.created_at")), ("ip", "host(item.ip)"),
        ("detail", "item.detail"),
      ])),
      'letters', \(list("held_letter", [
        ("id", "item.id"), ("kind", "item.kind"), ("recipient", "item.recipient"),
        ("createdAt", time("item.created_at")), ("sentAt", time("item.sent_at")),
      ]))
    )::text
    from viewer
    """

  /// An array of the first ``itemsMax`` rows, newest first.
  private static func list(_ relation: String, by key: String = "id", _ fields: [(String, String)]) -> String {
    let object = fields.map { "'\($0.0)', \($0.1)" }.joined(separator: ", ")
    return """
      coalesce((
        select json_agg(json_build_object(\(object)) order by item.\(key) desc)
        from (select * from \(relation) order by \(key) desc limit \(itemsMax)) as item
      ), '[]')
      """
  }

  /// RFC 3339 in UTC with three fraction digits, as everywhere in the API.
  private static func time(_ expression: String) -> String {
    "to_char(\(expression) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
  }

  public func found(in rows: Rows) -> String {
    var row = rows[0]
    row.skip()
    return row.text()
  }
}
