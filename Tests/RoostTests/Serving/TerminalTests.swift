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

/// `roost accounts` with a person at a terminal.
@Suite(.onThreads) struct TerminalTests {
  private static let password = "a loom of algebra"
  private static let asked = "New password (it is not shown):"
  private static let askedAgain = "Once more:"

  private let nodes: Nodes

  init() throws { nodes = try Nodes(1) }

  /// Runs `roost accounts` on a terminal of its own; `dialogue` is what it asks and what is typed then.
  private func roost(_ arguments: [String], _ dialogue: [(String, String)]) throws -> ChildProcess.Outcome {
    let environment = try #require(getenv("ROOST_TEST_VENV").map { String(cString: $0) })
    let binary = try #require(getenv("ROOST_TEST_BINARY").map { String(cString: $0) })
    let script = URL(filePath: "../../../scripts/test-terminal", relativeTo: URL(filePath: #filePath))
      .standardizedFileURL
    return try ChildProcess.run(
      "\(environment)/bin/python",
      [script.path] + dialogue.flatMap { ["--say", $0.0, $0.1] } + [binary, "accounts"] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "DATABASE_URL": nodes.database.target.description],
      timeoutMilliseconds: 60_000)
  }

  @Test func `a password is typed twice, without being shown`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let set = try roost(
      ["set-password", person.username], [(Self.asked, Self.password), (Self.askedAgain, Self.password)])
    #expect(set.succeeded, "\(set.output)")
    #expect(
      set.output == "\(Self.asked)\n\n\(Self.askedAgain)\n\nthe password is set; its sessions have ended\n",
      "the terminal shows the end of each line, and nothing that was typed")
    try ada.me().problem(.signedOut)
    try nodes.visitor().logIn(person.username, Self.password).expect(201)
  }

  @Test func `two passwords that differ, or none, change nothing and are not shown`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    for second in ["a loom of algebrA", ""] {
      let refused = try roost(
        ["set-password", person.username], [(Self.asked, Self.password), (Self.askedAgain, second)])
      #expect(
        refused.status == 1 && refused.output.hasSuffix("roost: the passwords are not the same, or there is none\n"))
      #expect(!refused.output.contains("loom"))
    }
    let common = try roost(
      ["set-password", person.username], [(Self.asked, "password123"), (Self.askedAgain, "password123")])
    #expect(common.status == 1 && common.output.contains("Many people") && !common.output.contains("password123"))
    try ada.me().expect(200)
    try nodes.visitor().logIn(person.username, person.password).expect(201)
  }

  @Test func `an account is deleted when its name is typed again, and not for another word`() throws {
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let asked = "This deletes the account with all that is its own. Type \(person.username) to go on:"
    for word in ["yes", "", "\(person.username)x"] {
      let refused = try roost(["delete", person.username], [(asked, word)])
      #expect(refused.status == 1 && refused.output.contains("nothing was deleted"), "\(refused.output)")
    }
    try ada.me().expect(200)
    let deleted = try roost(["delete", person.username], [(asked, person.username)])
    #expect(deleted.succeeded && deleted.output == "\(asked)\n\(person.username)\ndeleted\n", "\(deleted.output)")
    try ada.me().problem(.signedOut)
    #expect(try nodes.database.value("select count(*) from account") == "0")
  }
}
