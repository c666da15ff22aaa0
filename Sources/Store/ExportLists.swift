public import Postgres
public import Secrets
public import Values

/// A part of one list of what is held of the viewer, newest first.
public protocol ExportListStatement: ViewerStatement, ReadStatement where Found == ExportedPart {
  /// What the list is called in the document.
  static var name: String { get }

  /// The part that follows the row with the key `before`; nil: the first.
  init(token: TokenDigest, before: ExportKey?)

  var before: ExportKey? { get }
}

/// Marks what lists of an export are ordered by: ids of sessions, tweets, follows, events, letters.
public enum ExportTag {}
/// What a list of an export is ordered by.
public typealias ExportKey = ID<ExportTag>

/// Some rows of a list as JSON objects with commas between them, and the key of the last if more may follow.
public struct ExportedPart: Sendable, Equatable {
  public let json: String
  public let last: ExportKey?
}

extension ExportListStatement {
  public func bindRest(to parameters: inout Parameters) {
    parameters.append(before)
  }

  public func found(in rows: Rows) -> ExportedPart {
    var texts: [String] = []
    var last: ExportKey?
    for index in 0..<rows.count {
      var row = rows[index]
      row.skip()
      last = row.optionalID()
      if last != nil { texts.append(row.text()) }
    }
    return ExportedPart(json: texts.joined(separator: ","), last: texts.count == exportedAtOnce ? last : nil)
  }

  /// `$2` the key before the part, or null. `fields` are the object's, from a relation named `item`.
  fileprivate static func list(
    _ table: String, of owner: String = "account_id", by key: String = "id", _ fields: KeyValuePairs<String, String>
  ) -> String {
    let object = fields.map { "'\($0.key)', \($0.value)" }.joined(separator: ", ")
    return """
      with \(Viewer.expression)
      select \(Viewer.column), item.\(key), json_build_object(\(object))::text
      from viewer
      left join lateral (
        select * from \(table)
        where \(table).\(owner) = viewer.id and \(table).\(key) < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by \(table).\(key) desc
        limit \(exportedAtOnce)
      ) as item on true
      order by item.\(key) desc
      """
  }
}

/// Rows that one statement of an export reads. The document is as long as it has to be; what a node holds of it is not.
let exportedAtOnce = 500

/// Where the account is signed in. Never a token.
public struct ExportSessions: ExportListStatement {
  public let token: TokenDigest
  public let before: ExportKey?

  public static let name = "sessions"

  public init(token: TokenDigest, before: ExportKey?) {
    self.token = token
    self.before = before
  }

  public static let sql = list(
    "session",
    [
      "id": "item.id", "createdAt": ExportedTime.text("item.created_at"),
      "lastSeenAt": ExportedTime.text("item.last_seen_at"), "expiresAt": ExportedTime.text("item.expires_at"),
      "ip": "host(item.ip)", "userAgent": "item.user_agent",
    ])
}

/// What the account has posted.
public struct ExportTweets: ExportListStatement {
  public let token: TokenDigest
  public let before: ExportKey?

  public static let name = "tweets"

  public init(token: TokenDigest, before: ExportKey?) {
    self.token = token
    self.before = before
  }

  public static let sql = list(
    "tweet", of: "author_id",
    [
      "id": "item.id", "text": "item.text", "createdAt": ExportedTime.text("item.created_at"),
      "likes": "item.like_count",
    ])
}

/// What the account likes.
public struct ExportLikes: ExportListStatement {
  public let token: TokenDigest
  public let before: ExportKey?

  public static let name = "likes"

  public init(token: TokenDigest, before: ExportKey?) {
    self.token = token
    self.before = before
  }

  public static let sql = list(
    "tweet_like", by: "tweet_id",
    ["tweetId": "item.tweet_id", "createdAt": ExportedTime.text("item.created_at")])
}

/// Whom the account follows.
public struct ExportFollows: ExportListStatement {
  public let token: TokenDigest
  public let before: ExportKey?

  public static let name = "follows"

  public init(token: TokenDigest, before: ExportKey?) {
    self.token = token
    self.before = before
  }

  public static let sql = list(
    "follow", of: "follower_id",
    [
      "accountId": "item.followee_id",
      "username": "(select account.username from account where account.id = item.followee_id)",
      "createdAt": ExportedTime.text("item.created_at"),
    ])
}

/// What has happened to the account.
public struct ExportEvents: ExportListStatement {
  public let token: TokenDigest
  public let before: ExportKey?

  public static let name = "events"

  public init(token: TokenDigest, before: ExportKey?) {
    self.token = token
    self.before = before
  }

  public static let sql = list(
    "audit_event",
    [
      "id": "item.id", "kind": "item.kind", "createdAt": ExportedTime.text("item.created_at"), "ip": "host(item.ip)",
      "detail": "item.detail",
    ])
}

/// Letters to the owner that wait to be sent, or were sent lately.
public struct ExportLetters: ExportListStatement {
  public let token: TokenDigest
  public let before: ExportKey?

  public static let name = "letters"

  public init(token: TokenDigest, before: ExportKey?) {
    self.token = token
    self.before = before
  }

  public static let sql = list(
    "outbox",
    [
      "id": "item.id", "kind": "item.kind", "recipient": "item.recipient",
      "createdAt": ExportedTime.text("item.created_at"), "sentAt": ExportedTime.text("item.sent_at"),
    ])
}
