import HTTP
import RoostAPI
import Secrets
import TestSupport
import Testing

@testable import Routes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The hand-written JSON of each answer, read as a client reads it.
@Suite(.timeLimit(.minutes(5))) struct AnswerTests {
  static let awkward = "q\"b\\ /\u{1}\u{8}\u{1f}\u{7f}\t\r\n\u{2028}<é>👩‍👩‍👧\u{10FFFF}"

  /// A fixed moment for all that is in the database.
  static let moment = Date(timeIntervalSince1970: 981_173_106.789)
  static let momentSQL = "'2001-02-03 04:05:06.789+00'::timestamptz"

  func keys(_ json: JSON?) -> [String] {
    if case .object(let object)? = json { object.keys.sorted() } else { [] }
  }

  @Test func `an account`() async throws {
    try await Stage.with { stage in
      let ada = try await stage.newcomer("ada", fullName: nil)
      let token = try #require(ada.session.token)
      _ = try stage.database.rows("update account set created_at = \(Self.momentSQL)")
      let plain: Account = try await stage.send(.get, "/v1/me", token: token).decoded()
      #expect(plain.id == ada.user.id && plain.username == "ada" && plain.email == "ada@example.com")
      #expect(!plain.emailVerified && plain.fullName == nil && plain.bio == nil && plain.profileImageURL == nil)
      #expect(plain.createdAt == Self.moment)
      #expect([plain.followers, plain.following, plain.tweets] == [0, 0, 0])

      _ = try stage.database.rows(
        """
        update account set full_name = $1, bio = $1, email_verified_at = now(), follower_count = 2147483647,
          following_count = 2, tweet_count = 3
        """, [Self.awkward])
      let response = await stage.send(.get, "/v1/me", token: token)
      let full: Account = try response.decoded()
      #expect(full.fullName == Self.awkward && full.bio == Self.awkward && full.emailVerified)
      #expect([full.followers, full.following, full.tweets] == [2_147_483_647, 2, 3])
      #expect(
        try keys(.object(response.object)) == [
          "bio", "createdAt", "email", "emailVerified", "followers", "following", "fullName", "id", "profileImageURL",
          "tweets", "username",
        ])
      #expect(
        response.headerLines.filter { !$0.hasPrefix("X-Request-ID") } == [
          "Cache-Control: no-store", "Content-Type: application/json", "X-Content-Type-Options: nosniff",
        ])
    }
  }

  @Test func `a new session, with its token in the body or in a cookie`() async throws {
    try await Stage.with(publicURL: "https://roost.example") { stage in
      let ada = try await stage.newcomer("ada", fullName: "Ada 👩‍👩‍👧")
      #expect(ada.user.fullName == "Ada 👩‍👩‍👧" && ada.user.username == "ada")
      #expect(ada.session.token?.hasPrefix("roost_") == true && ada.session.token?.count == 49)
      #expect(ada.session.expiresAt.timeIntervalSince(ada.session.createdAt) == 30 * 86_400)
      #expect(ada.session.createdAt == ada.user.createdAt)

      let login = #"{"login":"ada","password":"an engine of brass","cookie":"#
      let bearer = await stage.send(.post, "/v1/login", json: login + "false}")
      #expect(bearer.status == 201 && bearer.header("Set-Cookie") == nil)
      #expect(try keys(bearer.object["session"]) == ["createdAt", "expiresAt", "id", "token"])
      #expect(try keys(.object(bearer.object)) == ["session", "user"])
      let read: SignedIn = try bearer.decoded()
      #expect(read.user == ada.user && read.session.id != ada.session.id)

      let cookie = await stage.send(.post, "/v1/login", json: login + "true}")
      #expect(cookie.status == 201)
      #expect(try keys(cookie.object["session"]) == ["createdAt", "expiresAt", "id"])
      let field = try #require(cookie.header("Set-Cookie"))
      #expect(field.hasPrefix("__Host-roost_session=roost_"))
      #expect(field.hasSuffix("; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure"))
      #expect(!cookie.text.contains("roost_"), "the token is in the cookie alone")
      let pair = String(field.prefix { $0 != ";" })
      let me = await stage.send(.get, "/v1/me", [(.cookie, pair)])
      #expect(try me.decoded(as: Account.self) == ada.user)

      let foreign = await stage.send(.post, "/v1/signout", [(.cookie, pair)])
      #expect(foreign.status == 403 && foreign.code == "cross_site")
      let out = await stage.send(.post, "/v1/signout", [(.cookie, pair), (.secFetchSite, "same-origin")])
      #expect(out.status == 204 && out.body == [])
      #expect(out.header("Set-Cookie")?.hasPrefix("__Host-roost_session=; Max-Age=0;") == true)
      #expect(await stage.send(.get, "/v1/me", [(.cookie, pair)]).code == "signed_out")
    }
  }

  @Test func `the sessions of an account`() async throws {
    try await Stage.with { stage in
      let ada = try await stage.newcomer("ada")
      let token = try #require(ada.session.token)
      let form = #"{"login":"ada","password":"an engine of brass"}"#
      let second: SignedIn = try await stage.send(
        .post, "/v1/login", [(.userAgent, "a\"b\\c\u{1}👩‍👩‍👧")], json: form, peer: "2001:db8::7"
      ).decoded()
      _ = try await stage.send(.post, "/v1/login", json: form).decoded(as: SignedIn.self)
      _ = try stage.database.rows("update session set last_seen_at = created_at + interval '1 minute'")

      let response = await stage.send(.get, "/v1/sessions", token: token)
      let page: RoostAPI.Page<SessionDetails> = try response.decoded()
      #expect(page.next == nil && page.items.count == 3)
      #expect(page.items.map(\.current) == [false, false, true])
      #expect(page.items.map(\.userAgent) == [nil, "a\"b\\c 👩‍👩‍👧", "curl/8"])
      #expect(page.items.map(\.ip) == ["192.0.2.1", "2001:db8::7", "192.0.2.1"])
      #expect(page.items[1].id == second.session.id && page.items[2].id == ada.session.id)
      #expect(page.items[2].createdAt == ada.session.createdAt && page.items[2].expiresAt == ada.session.expiresAt)
      for item in page.items { #expect(item.lastSeenAt.timeIntervalSince(item.createdAt) == 60) }
      #expect(!response.text.contains("token"))
    }
  }

  @Test(
    arguments: [
      ("Grace", "grace", nil), ("ada", "ada", .taken), ("ADA", "ada", .taken), ("Admin", "Admin", .reserved),
      ("a..b", "a..b", .malformed), ("%22%5C%01%F0%9F%98%80", "\"\\\u{1}😀", .malformed),
    ] as [(String, String, UsernameAvailability.Reason?)])
  func `a username that is free or not`(segment: String, name: String, reason: UsernameAvailability.Reason?)
    async throws
  {
    try await Stage.with { stage in
      _ = try await stage.newcomer("ada")
      let response = await stage.send(.get, "/v1/usernames/\(segment)")
      #expect(response.status == 200)
      let answer: UsernameAvailability = try response.decoded()
      #expect(try answer == UsernameAvailability.sample(username: name, reason: reason))
      #expect(try keys(.object(response.object)) == ["available", "reason", "username"])
    }
  }

  @Test func `a tweet, a page of them, and none`() async throws {
    try await Stage.with { stage in
      let ada = try await stage.newcomer("ada", fullName: "Ada \"👩‍👩‍👧\"")
      let token = try #require(ada.session.token)
      let empty = await stage.send(.get, "/v1/feed", token: token)
      #expect(empty.text == #"{"items":[],"next":null}"#)
      #expect(empty.header("Link") == nil)

      let first = await stage.send(.post, "/v1/tweets", token: token, json: #"{"text":"a\"b\\\n\t😀"}"#)
      #expect(first.code == "invalid_fields", "a tab is a control character")
      var tweets: [Tweet] = []
      for index in 0..<3 {
        let text = #"{"text":"\#(index) a\"b\\\n\u00e9\ud83d\ude00 👩‍👩‍👧"}"#
        let posted = await stage.send(.post, "/v1/tweets", token: token, json: text)
        #expect(posted.status == 201)
        let tweet: Tweet = try posted.decoded()
        #expect(posted.header("Location") == "/v1/tweets/\(tweet.id)")
        #expect(tweet.text == "\(index) a\"b\\\né😀 👩‍👩‍👧")
        #expect(tweet.likes == 0 && !tweet.likedByMe)
        #expect(tweet.author.id == ada.user.id && tweet.author.username == "ada")
        #expect(tweet.author.fullName == "Ada \"👩‍👩‍👧\"" && tweet.author.profileImageURL == nil)
        #expect(try keys(.object(posted.object)) == ["author", "createdAt", "id", "likedByMe", "likes", "text"])
        #expect(try keys(posted.object["author"]) == ["fullName", "id", "profileImageURL", "username"])
        #expect(try await stage.send(.get, "/v1/tweets/\(tweet.id)", token: token).decoded(as: Tweet.self) == tweet)
        tweets.insert(tweet, at: 0)
      }

      let page = await stage.send(.get, "/v1/feed?limit=2", token: token)
      let read: RoostAPI.Page<Tweet> = try page.decoded()
      #expect(read.items == Array(tweets[0..<2]) && read.next == tweets[1].id)
      #expect(page.header("Link") == "</v1/feed?limit=2&before=\(tweets[1].id)>; rel=\"next\"")
      let target = try #require(page.header("Link")?.dropFirst().prefix { $0 != ">" })
      let rest = await stage.send(.get, String(target), token: token)
      #expect(try rest.decoded(as: RoostAPI.Page<Tweet>.self) == RoostAPI.Page.sample([tweets[2]]))
      #expect(rest.header("Link") == nil)

      _ = try stage.database.rows(
        "update tweet set text = $1, like_count = 9, created_at = \(Self.momentSQL)", [Self.awkward])
      let odd: Tweet = try await stage.send(.get, "/v1/tweets/\(tweets[0].id)", token: token).decoded()
      #expect(odd.text == Self.awkward && odd.likes == 9 && odd.createdAt == Self.moment)
      let gone = await stage.send(.delete, "/v1/tweets/\(tweets[0].id)", token: token)
      #expect(gone.status == 204 && gone.body == [] && gone.header("Content-Type") == nil)
    }
  }

  @Test func `a profile, a page of them, and none`() async throws {
    try await Stage.with { stage in
      let ada = try await stage.newcomer("ada")
      let bob = try await stage.newcomer("bob")
      let token = try #require(bob.session.token)
      for list in ["followers", "following", "tweets"] {
        let empty = await stage.send(.get, "/v1/users/ada/\(list)", token: token)
        #expect(empty.text == #"{"items":[],"next":null}"# && empty.header("Link") == nil)
      }
      _ = try stage.database.rows(
        """
        update account set full_name = $1, bio = $1, created_at = \(Self.momentSQL), follower_count = 2147483647,
          following_count = 2, tweet_count = 3, avatar_sha256 = decode(repeat('cd', 32), 'hex')
        where username = 'ada'
        """, [Self.awkward])
      _ = try stage.database.rows(
        """
        insert into follow (id, follower_id, followee_id) values
          ('01980f1d-0b21-7e6f-b1c2-000000000001', $1, $2), ('01980f1d-0b21-7e6f-b1c2-000000000002', $2, $1)
        """, [bob.user.id, ada.user.id])
      let response = await stage.send(.get, "/v1/users/ada", token: token)
      let profile: Profile = try response.decoded()
      #expect(profile.id == ada.user.id && profile.username == "ada" && profile.createdAt == Self.moment)
      #expect(profile.fullName == Self.awkward && profile.bio == Self.awkward && profile.followedByMe)
      #expect([profile.followers, profile.following, profile.tweets] == [2_147_483_647, 2, 3])
      let photo = "http://127.0.0.1:8080/v1/avatars/\(String(repeating: "cd", count: 32)).jpg"
      #expect(profile.profileImageURL == photo)
      #expect(
        try keys(.object(response.object)) == [
          "bio", "createdAt", "followedByMe", "followers", "following", "fullName", "id", "profileImageURL", "tweets",
          "username",
        ])
      let digest = SHA256Digest.of(response.body).hex
      #expect(
        response.headerLines.filter { !$0.hasPrefix("X-Request-ID") } == [
          "Cache-Control: private, no-cache", "Content-Type: application/json", "ETag: \"\(digest)\"",
          "X-Content-Type-Options: nosniff",
        ])

      let page = await stage.send(.get, "/v1/users/bob/following?limit=1", token: token)
      #expect(page.text == "{\"items\":[\(response.text)],\"next\":null}")
      _ = try await stage.newcomer("carol")
      _ = try stage.database.rows(
        """
        insert into follow (id, follower_id, followee_id)
        select '01980f1d-0b21-7e6f-b1c2-000000000000', $1, id from account where username = 'carol'
        """, [bob.user.id])
      let first = await stage.send(.get, "/v1/users/Bob/following?limit=1", token: token)
      let place = "01980f1d-0b21-7e6f-b1c2-000000000001"
      #expect(first.text == "{\"items\":[\(response.text)],\"next\":\"\(place)\"}", "the follow's id, not ada's")
      #expect(first.header("Link") == "</v1/users/Bob/following?limit=1&before=\(place)>; rel=\"next\"")
      let second = await stage.send(.get, "/v1/users/Bob/following?limit=1&before=\(place)", token: token)
      #expect(try second.decoded(as: RoostAPI.Page<Profile>.self).items.map(\.username) == ["carol"])
    }
  }

  @Test func `what is taken is named`() async throws {
    try await Stage.with { stage in
      _ = try await stage.newcomer("ada")
      func register(_ username: String, _ email: String) async throws -> (Response, [Problem.FieldError]) {
        let form = #"{"username":"\#(username)","email":"\#(email)","password":"an engine of brass"}"#
        let response = await stage.send(.post, "/v1/register", json: form)
        return (response, try response.decoded(as: Problem.self).errors ?? [])
      }
      for (username, email, fields) in [
        ("ADA", "new@example.com", ["username"]), ("new", "ADA@example.com", ["email"]),
        ("ada", "ada@example.com", ["username", "email"]),
      ] {
        let (response, errors) = try await register(username, email)
        #expect(response.status == 409 && response.code == "taken")
        #expect(errors.map(\.field) == fields && errors.allSatisfy { $0.code == "taken" })
      }
    }
  }

  @Test func `health, the contract and the page`() async throws {
    try await Stage.with { (stage) async throws in
      for path in ["/healthz", "/readyz"] {
        let response = await stage.send(.get, path)
        #expect(response.text == #"{"status":"ok"}"#)
        #expect(try response.decoded(as: Health.self).status == .ok)
      }
      let contract = await stage.send(.get, "/openapi.json")
      #expect(contract.body == OpenAPI.document && contract.header("Content-Type") == "application/json")
      let page = await stage.send(.get, "/")
      #expect(page.text.hasPrefix("<!doctype html>") && page.header("Content-Type") == "text/html; charset=utf-8")
    }
  }
}

extension UsernameAvailability {
  static func sample(username: String, reason: Reason?) throws -> UsernameAvailability {
    let reason = reason.map { "\"\($0.rawValue)\"" } ?? "null"
    let name = String(decoding: try JSONEncoder().encode(username), as: UTF8.self)
    let json = #"{"username":\#(name),"available":\#(reason == "null"),"reason":\#(reason)}"#
    return try JSONDecoder.roost.decode(UsernameAvailability.self, from: Data(json.utf8))
  }
}

extension RoostAPI.Page where Item == Tweet {
  /// The last page of a list.
  static func sample(_ items: [Tweet]) throws -> RoostAPI.Page<Tweet> {
    let json = String(decoding: try JSONEncoder.roost.encode(items), as: UTF8.self)
    return try JSONDecoder.roost.decode(Self.self, from: Data(#"{"items":\#(json),"next":null}"#.utf8))
  }
}
