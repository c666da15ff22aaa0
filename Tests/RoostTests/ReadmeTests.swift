import EventLoop
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What README.md tells a newcomer to type is typed here.
@Suite struct ReadmeTests {
  private let readme: String

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
    readme = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test func `the first calls do what the README says`() throws {
    let commands = try #require(readme.block("sh", after: "A test runs these commands"))
    let server = try TestServer(TestDatabase.fresh())
    let script = commands.replacing("http://127.0.0.1:8080", with: "http://\(server.address)")
    #expect(script != commands, "the server's address stands in the commands")
    let outcome = try ChildProcess.run(
      "/bin/bash", ["-euc", script], environment: ["PATH": "/usr/bin:/bin:/usr/local/bin"], timeoutMilliseconds: 30_000)
    #expect(outcome.succeeded, "\(outcome.output)")

    let answers = outcome.output.replacing("}{", with: "}\n{").split(separator: "\n").map(String.init)
    try #require(answers.count == 6, "sign-up, me, tweet, feed, profile, and the refusal at the end: \(outcome.output)")
    #expect(answers[0].contains(#""username":"ada""#) && answers[0].contains(#""token":"roost_"#))
    #expect(answers[1].contains(#""email":"ada@example.com""#) && !answers[1].contains("roost_"))
    #expect(answers[2].contains(#""text":"Hello from my own server.""#))
    #expect(answers[3].hasPrefix(#"{"items":[{"#) && answers[3].contains("Hello from my own server."))
    #expect(answers[4].contains(#""username":"ada""#) && answers[4].contains(#""tweets":1"#))
    #expect(!answers[4].contains("example.com"))
    #expect(answers[5].contains(#""code":"signed_out""#))
  }

  @Test func `the README shows the two commands of a newcomer`() {
    #expect(readme.contains("\nmake run "))
    #expect(readme.contains("\nmake test "))
  }
}

extension String {
  /// The first fenced block of a language after a mark.
  fileprivate func block(_ language: String, after mark: String) -> String? {
    guard let place = firstRange(of: mark), let start = self[place.upperBound...].firstRange(of: "```\(language)\n"),
      let end = self[start.upperBound...].firstRange(of: "\n```")
    else { return nil }
    return String(self[start.upperBound..<end.lowerBound])
  }
}
