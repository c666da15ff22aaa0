import HTTP
import RoostAPI
import Secrets
import Services
import Store
import Values

extension Response {
  /// What is answered to somebody is for nobody's cache.
  static func json(
    status: Int = 200, headers: [(name: String, value: String)] = [], capacity: Int = 512,
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var json = JSONWriter(capacity: capacity)
    write(&json)
    return Response(
      status: status, contentType: "application/json", headers: headers + [("Cache-Control", "no-store")],
      body: json.bytes)
  }

  static let ok = json { json in
    json.object { $0.field("status", "ok") }
  }

  static func json(_ account: AccountRow, _ url: PublicURL) -> Response {
    json { json in
      json.object { $0.write(account, url) }
    }
  }

  static func signedIn(_ signedIn: Accounts.SignedIn, asCookie: Bool, _ url: PublicURL) -> Response {
    let seconds = (signedIn.session.expiresAtMicroseconds - signedIn.session.createdAtMicroseconds) / 1_000_000
    let cookie = SessionCookie(url).set(signedIn.token, maxSeconds: Int(seconds))
    return json(status: 201, headers: asCookie ? [cookie] : []) { json in
      json.object { json in
        json.object("user") { $0.write(signedIn.account, url) }
        json.object("session") { json in
          if !asCookie { json.field("token", signedIn.token.text) }
          json.plain("id", signedIn.session.id.append)
          json.time("createdAt", microsecondsSinceEpoch: signedIn.session.createdAtMicroseconds)
          json.time("expiresAt", microsecondsSinceEpoch: signedIn.session.expiresAtMicroseconds)
        }
      }
    }
  }

  static func json(_ username: String, _ availability: Accounts.Availability) -> Response {
    let reason: UsernameAvailability.Reason? =
      switch availability {
      case .available: nil
      case .taken: .taken
      case .reserved: .reserved
      case .malformed: .malformed
      }
    return json { json in
      json.object { json in
        json.field("username", username)
        json.field("available", reason == nil)
        json.field("reason", reason?.rawValue)
      }
    }
  }

  static func json(_ sessions: [ListedSession]) -> Response {
    json { json in
      json.object { json in
        json.array("items") { json in
          for session in sessions { json.object { $0.write(session) } }
        }
        json.field("next", nil as String?)
      }
    }
  }

  static func json(
    _ tweet: TweetRow, _ url: PublicURL, status: Int = 200, headers: [(name: String, value: String)] = []
  ) -> Response {
    json(status: status, headers: headers) { json in
      json.object { $0.write(tweet, url) }
    }
  }

  static func json(_ profile: ProfileRow, _ url: PublicURL) -> Response {
    json { json in
      json.object { $0.write(profile, url) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ account: AccountRow, _ url: PublicURL) {
    plain("id", account.id.append)
    field("username", account.username)
    field("email", account.email)
    field("emailVerified", account.isEmailVerified)
    field("fullName", account.fullName)
    field("bio", account.bio)
    field("profileImageURL", url.avatar(account.avatarDigest))
    time("createdAt", microsecondsSinceEpoch: account.createdAtMicroseconds)
    field("followers", account.followers)
    field("following", account.following)
    field("tweets", account.tweets)
  }

  mutating func write(_ profile: ProfileRow, _ url: PublicURL) {
    plain("id", profile.id.append)
    field("username", profile.username)
    field("fullName", profile.fullName)
    field("bio", profile.bio)
    field("profileImageURL", url.avatar(profile.avatarDigest))
    time("createdAt", microsecondsSinceEpoch: profile.createdAtMicroseconds)
    field("followers", profile.followers)
    field("following", profile.following)
    field("tweets", profile.tweets)
    field("followedByMe", profile.isFollowedByViewer)
  }

  fileprivate mutating func write(_ session: ListedSession) {
    plain("id", session.id.append)
    time("createdAt", microsecondsSinceEpoch: session.createdAtMicroseconds)
    time("lastSeenAt", microsecondsSinceEpoch: session.lastSeenAtMicroseconds)
    time("expiresAt", microsecondsSinceEpoch: session.expiresAtMicroseconds)
    field("userAgent", session.userAgent)
    field("ip", session.ip)
    field("current", session.isCurrent)
  }

  mutating func write(_ tweet: TweetRow, _ url: PublicURL) {
    plain("id", tweet.id.append)
    field("text", tweet.text)
    time("createdAt", microsecondsSinceEpoch: tweet.createdAtMicroseconds)
    object("author") { json in
      json.plain("id", tweet.author.id.append)
      json.field("username", tweet.author.username)
      json.field("fullName", tweet.author.fullName)
      json.field("profileImageURL", url.avatar(tweet.author.avatarDigest))
    }
    field("likes", tweet.likes)
    field("likedByMe", tweet.isLikedByViewer)
  }
}
