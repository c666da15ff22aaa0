import EventLoop
import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Schemathesis reads `/openapi.json` and sends what it says, and what it does not say; no answer may surprise it.
///
/// It runs in two parts, since a log-in, a sign-up and a sign-out end the session that comes with them: what needs no
/// session is called without one, the rest with a token that nothing there ends.
@Suite(.onThreads, .timeLimit(.minutes(10))) struct SchemathesisTests {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whoever generates requests is soon beyond every limit.
  static let unlimited = [
    "LIMIT_LOGIN_ADDRESS", "LIMIT_LOGIN_ACCOUNT_ADDRESS", "LIMIT_LOGIN_ACCOUNT", "LIMIT_REGISTER_ADDRESS",
    "LIMIT_USERNAMES_ADDRESS", "LIMIT_TWEETS_ACCOUNT", "LIMIT_LIKES_ACCOUNT", "LIMIT_FOLLOWS_ACCOUNT",
    "LIMIT_AVATAR_ACCOUNT", "LIMIT_EXPORT_ACCOUNT", "LIMIT_MAIL_ADDRESS",
    "LIMIT_MAIL_ACCOUNT",
  ].reduce(into: [:]) { $0[$1] = "0" }

  static let examplesMax = 50

  /// Calls that are refused without the account's password, or that may end the session that asks.
  static let guarded: Set<Endpoint> = [.changePassword, .changeEmail, .deleteAccount, .endSession]

  struct NoEnvironment: Error, CustomStringConvertible {
    let description = "ROOST_TEST_VENV names no Python environment. Run `make test`, which makes one"
  }

  /// What schemathesis writes about some calls, once it has found nothing.
  func run(_ endpoints: [Endpoint], phases: String, against server: TestServer, as visitor: Visitor) throws -> String {
    guard let venv = ProcessInfo.processInfo.environment["ROOST_TEST_VENV"], !venv.isEmpty else {
      throw NoEnvironment()
    }
    var arguments = [
      "--config-file=schemathesis.toml", "run", "http://\(server.address)/openapi.json", "--checks", "all",
      "--phases", phases, "--max-examples", "\(Self.examplesMax)",
    ]
    for endpoint in endpoints { arguments += ["--include-operation-id", endpoint.name] }
    if let token = visitor.token { arguments += ["--header", "Authorization: Bearer \(token)"] }
    let outcome = try ChildProcess.run(
      "\(venv)/bin/schemathesis", arguments,
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "120",
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
      ],
      folder: Self.root.path, timeoutMilliseconds: 240_000)
    #expect(outcome.succeeded, "\(outcome.output)")
    #expect(outcome.output.contains("Tested: \(endpoints.count)"), "\(outcome.output)")
    let areGuarded = Self.guarded.isSuperset(of: endpoints)
    #expect(areGuarded || !outcome.output.contains("Authentication failed"), "\(outcome.output)")
    #expect(!server.log.contains(#""status":5"#) && !server.log.contains("internal_error"), "\(server.lastWords)")
    return outcome.output
  }

  /// How many requests it has made up.
  func count(_ output: String) throws -> Int {
    let match = try #require(output.firstMatch(of: #/(\d+) generated, (\d+) passed/#), "\(output)")
    #expect(match.1 == match.2)
    return Int(match.1) ?? 0
  }

  @Test func `what needs no session is as the document says`() throws {
    let server = try TestServer(.fresh(), settings: Self.unlimited)
    let endpoints = Endpoint.all.filter { !$0.needsSession }
    let output = try run(endpoints, phases: "examples,coverage,fuzzing", against: server, as: Visitor(server))
    #expect(try count(output) > 250)
    for path in ["/v1/register", "/v1/login"] {
      #expect(server.log.contains(#""path":"\#(path)","status":201"#), "some were let in: \(path)")
    }
  }

  @Test func `what needs a session is as the document says, also one call after another`() throws {
    let server = try TestServer(.fresh(), settings: Self.unlimited)
    // Whom the document's examples ask about.
    var ada = Person()
    ada.username = "ada"
    try Visitor(server).signedUp(ada).tweet("Here").expect(201)
    let visitor = try Visitor(server).signedUp()
    // The live feed has no end to wait for; `LiveFeedTests` read it.
    let endpoints = Endpoint.all.filter { $0.needsSession && !Self.guarded.contains($0) && $0 != .liveFeed }
    let output = try run(endpoints, phases: "examples,coverage,fuzzing,stateful", against: server, as: visitor)
    #expect(try count(output) > 250)
    let links = try #require(output.firstMatch(of: #/API Links:\s+(\d+) covered/#), "\(output)")
    #expect((Int(links.1) ?? 0) >= 2, "it read and deleted what it had written")
    #expect(server.log.contains(#""method":"POST","path":"/v1/tweets","status":201"#), "it has written")
    try visitor.me().expect(200)
    for path in ["", "/tweets", "/followers", "/following"] {
      #expect(server.log.contains(#""path":"/v1/users/ada\#(path)","status":200"#), "it read of others: \(path)")
    }
  }

  @Test func `what wants the password too is as the document says`() throws {
    let server = try TestServer(.fresh(), settings: Self.unlimited)
    let visitor = try Visitor(server).signedUp()
    let output = try run(
      Array(Self.guarded), phases: "examples,coverage,fuzzing", against: server, as: visitor)
    #expect(try count(output) > 50)
    try visitor.me().expect(200)
  }
}
