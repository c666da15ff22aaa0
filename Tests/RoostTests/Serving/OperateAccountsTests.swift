import EventLoop
import Postgres
import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `roost accounts` beside servers that serve.
@Suite(.onThreads) struct OperateAccountsTests {
  private let nodes: Nodes

  init() throws { nodes = try Nodes(1) }

  /// Runs `roost accounts` in a shell, with this on its standard input.
  private func roost(_ arguments: String, input: String = "") throws -> ChildProcess.Outcome {
    let binary = try #require(getenv("ROOST_TEST_BINARY").map { String(cString: $0) })
    return try ChildProcess.run(
      "/bin/bash", ["-c", "printf '%s' \"$INPUT\" | \"$ROOST\" accounts \(arguments)"],
      environment: [
        "PATH": "/usr/bin:/bin", "ROOST": binary, "INPUT": input, "DATABASE_URL": nodes.database.target.description,
      ], timeoutMilliseconds: 60_000)
  }

  @Test func `accounts are listed and shown, without a secret`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    try ada.patch(ProfileChange(fullName: .becomes("Ada L."), bio: .becomes("Poetical\nscience"))).expect(200)
    try nodes.visitor().register(Person("bea")).expect(201)
    let list = try roost("list")
    #expect(list.succeeded, "\(list.output)")
    let lines = list.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("bea_") && lines[2].hasPrefix(person.username) && lines[2].hasSuffix(person.email))
    let account: Account = try ada.me().decoded()
    for name in [person.username.uppercased(), person.email, account.id] {
      let shown = try roost("show '\(name)'")
      #expect(shown.succeeded && shown.output.contains("Poetical / science"), "\(shown.output)")
      #expect(shown.output.contains(account.id) && !shown.output.contains("argon2") && !shown.output.contains("roost_"))
    }
    let json = try roost("show --json \(person.username)")
    let decoded = try JSONDecoder().decode([String: Field].self, from: Data(json.output.utf8))
    #expect(decoded["username"] == .text(person.username) && decoded["disabled"] == .flag(false))
    #expect(decoded["sessions"] == .number(1) && decoded["bio"] == .text("Poetical\nscience"))
    #expect(try roost("list --json").output.split(separator: "\n").count == 2)
  }

  @Test func `a disabled account is out at once, and back when it is enabled`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    #expect(try roost("disable \(person.username)").succeeded)
    try ada.me().problem(.signedOut)
    try nodes.visitor().logIn(person.username, person.password).problem(.wrongCredentials)
    #expect(try roost("enable \(person.email)").succeeded)
    try ada.me().problem(.signedOut)
    try nodes.visitor().logIn(person.username, person.password).expect(201)
  }

  @Test func `sessions end, and a password is set from standard input by the rules`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let ended = try roost("end-sessions \(person.username)")
    #expect(ended.succeeded && ended.output == "1 session has ended\n")
    try ada.me().problem(.signedOut)
    for (password, words) in [("short", "Use at least"), ("password123", "Many people"), (person.email, "not your")] {
      let refused = try roost("set-password \(person.username)", input: password)
      #expect(refused.status == 1 && refused.output.contains(words), "\(refused.output)")
    }
    #expect(try roost("set-password \(person.username)").status == 1)
    try nodes.visitor().logIn(person.username, person.password).expect(201)
    let set = try roost("set-password \(person.username)", input: "a loom of algebra\n")
    #expect(set.succeeded && !set.output.contains("loom"), "\(set.output)")
    try nodes.visitor().logIn(person.username, person.password).problem(.wrongCredentials)
    try nodes.visitor().logIn(person.username, "a loom of algebra").expect(201)
  }

  @Test func `an account is deleted when that is confirmed`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    #expect(try roost("delete \(person.username)", input: "\(person.username)\n").status == 1)
    try ada.me().expect(200)
    #expect(try roost("delete --yes \(person.username)").succeeded)
    try ada.me().problem(.signedOut)
    #expect(try nodes.database.value("select count(*) from account") == "0")
    #expect(try nodes.database.value("select ip is null from audit_event where kind = 'account_deleted'") == "t")
  }

  @Test func `a name that is nobody's, and words that make no sense, are told`() throws {
    for arguments in ["show nobody", "disable nobody", "enable x@y.z", "end-sessions nobody", "delete --yes nobody"] {
      let outcome = try roost(arguments)
      #expect(outcome.status == 1 && outcome.output == "roost: there is no such account\n", "\(outcome.output)")
    }
    #expect(try roost("set-password nobody", input: "a loom of algebra").output == "roost: there is no such account\n")
    for arguments in ["", "frobnicate", "list ada", "show", "show a b", "show --listen 1"] {
      let outcome = try roost(arguments)
      #expect(outcome.status == 64 && outcome.output.contains("See: roost accounts --help"), "\(outcome.output)")
    }
  }

  private enum Field: Decodable, Equatable {
    case text(String), number(Int), flag(Bool), null

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }
}
