import EventLoop
import HTTP
import Log
import Mail
import Metrics
import Postgres
import RoostAPI
import Secrets
import Services
import Store
import TestSupport
import Values

@testable import Routes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A router with everything below it, on a test's own database, without a socket in front.
struct Stage: Sendable {
  let database: TestDatabase
  let router: Router

  static func with<Answer>(
    limits: Services.Limits = .off, publicURL: String = "http://127.0.0.1:8080", proxies: String = "",
    tellsTimes: Bool = false, _ body: (Stage) async throws -> Answer
  ) async throws -> Answer {
    let database = try TestDatabase.fresh()
    return try await TestPool.open(database.target) { lent in
      let app = try App.standing(
        on: lent.pool, lent.loop, limits: limits, publicURL: publicURL, proxies: proxies,
        tellsTimes: tellsTimes)
      return try await body(Stage(database: database, router: Router(app, log: .off)))
    }
  }

  func send(
    _ method: HTTP.Method, _ target: String, _ headers: [(Header, String)] = [], token: String? = nil,
    json: String? = nil, peer: String = "192.0.2.1"
  ) async -> Response {
    var headers = headers
    if let token { headers.append((.authorization, "Bearer \(token)")) }
    if json != nil { headers.append((.contentType, "application/json")) }
    return await router.respond(
      to: Request(method: method, target: target, peer: peer, headers: headers, body: Array((json ?? "").utf8)))
  }

  /// Signs up and answers the token and the account.
  func newcomer(_ username: String, fullName: String? = nil) async throws -> SignedIn {
    let form = Registration(
      email: "\(username)@example.com", username: username, password: "an engine of brass", fullName: fullName)
    let json = String(decoding: try JSONEncoder.roost.encode(form), as: UTF8.self)
    return try await send(.post, "/v1/register", [(.userAgent, "curl/8")], json: json).decoded()
  }
}

extension App {
  private static let stillLoop = Loop()

  /// An app on a pool that is nobody's, for what needs no database. Nothing may be asked of it.
  static func bare(publicURL: String = "http://127.0.0.1:8080", proxies: String = "") throws -> App {
    let pool = Pool(
      on: stillLoop, connector: Connector(ConnectionTarget(""), statementMilliseconds: 1_000), log: .off)
    return try standing(on: pool, stillLoop, publicURL: publicURL, proxies: proxies)
  }

  static func standing(
    on pool: Pool, _ loop: Loop, limits: Services.Limits = .off, publicURL: String = "http://127.0.0.1:8080",
    proxies: String = "", tellsTimes: Bool = false
  ) throws -> App {
    let lifetime = SessionLifetime(idleSeconds: 30 * 86_400, maxSeconds: 365 * 86_400)
    let database = Services.Database(pool, lifetime: lifetime)
    let ids = IDSource()
    // As cheap as Argon2 can be.
    let hasher = PasswordHasher(
      crew: Crew(threads: 1, queueMax: 100, span: .hash), parameters: Argon2Parameters(memoryKiB: 8, passes: 1))
    let policy = Password.Policy()
    let courier = Courier(
      on: loop, database: database, route: .none,
      stationery: Courier.Stationery(sender: Sender("roost@example.com")!, publicOrigin: publicURL),
      pace: Courier.Pace(), log: .off)
    let check = PasswordCheck(database: database, hasher: hasher, ids: ids, limits: limits)
    return App(
      accounts: Accounts(
        database: database, hasher: hasher, ids: ids, lifetime: lifetime, policy: policy, limits: limits,
        courier: courier),
      exports: Exports(database: database, limits: limits),
      profiles: Profiles(database: database, ids: ids),
      ownership: Ownership(
        database: database, hasher: hasher, check: check, ids: ids, policy: policy, courier: courier),
      avatars: Avatars(
        database: database, crew: Crew(threads: 1, queueMax: 1, span: .picture), ids: ids, limits: limits),
      sessions: Sessions(database: database, ids: ids),
      passwords: Passwords(
        database: database, hasher: hasher, ids: ids, policy: policy, limits: limits, courier: courier,
        evenTime: EvenTime(on: loop)),
      emails: Emails(
        database: database, check: check, ids: ids, limits: limits, courier: courier, evenTime: EvenTime(on: loop)),
      tweets: Tweets(database: database, ids: ids, limits: limits),
      likes: Likes(database: database, limits: limits),
      follows: Follows(database: database, ids: ids, limits: limits),
      feed: Feed(database: database), live: LiveFeed(on: loop, database: database, ids: ids),
      readiness: Readiness(database: database, schemaVersion: 1),
      proxies: try TrustedProxies(proxies), publicURL: PublicURL(publicURL),
      tellsTimes: tellsTimes)
  }
}

extension Services.Limits {
  /// None at all.
  static var off: Services.Limits {
    let none = Allowance(max: 0, seconds: 60)
    var limits = Services.Limits()
    limits.loginPerAddress = none
    limits.loginPerAccountAndAddress = none
    limits.loginInARowPerAccount = 0
    limits.registerPerAddress = none
    limits.usernamesPerAddress = none
    limits.tweetsPerAccount = none
    limits.likesPerAccount = none
    limits.followsPerAccount = none
    return limits
  }
}

extension Response {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a value of the API, as a client reads it.
  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder.roost.decode(type, from: Data(body))
  }

  /// The body as an object of JSON.
  var object: [String: JSON] {
    get throws {
      guard case .object(let object) = try JSONDecoder().decode(JSON.self, from: Data(body)) else { return [:] }
      return object
    }
  }

  /// The `code` of a problem; nil for an answer that is none.
  var code: String? {
    guard header("Content-Type") == "application/problem+json" else { return nil }
    return try? object["code"]?.text
  }

  /// All headers, one line each, sorted.
  var headerLines: [String] { headers.map { "\($0.name): \($0.value)" }.sorted() }
}
