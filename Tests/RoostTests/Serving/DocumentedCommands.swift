import EventLoop
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The blocks of shell commands below one heading of docs/operations.md, to be run as they stand there.
struct DocumentedCommands {
  let blocks: [String]

  /// `heading` without its number signs; the part ends at the next heading.
  init(_ heading: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/operations.md")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let start = try #require(text.firstRange(of: "\n### \(heading)\n"), "docs/operations.md has no part \(heading)")
    let rest = text[start.upperBound...]
    let part = rest[..<(rest.firstRange(of: #/\n###? /#)?.lowerBound ?? rest.endIndex)]
    blocks = part.matches(of: #/```sh\n(.*?\n)```/#.dotMatchesNewlines()).map { String($0.1) }
  }

  /// The one block in which this stands.
  func block(with words: String) throws -> String {
    let found = blocks.filter { $0.contains(words) }
    try #require(found.count == 1, "\(words) stands in \(found.count) blocks")
    return found[0]
  }

  /// The text with other values for variables; each has to be set in it once.
  static func with(_ values: [String: String], in text: String) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (name, value) in values {
      let places = lines.indices.filter { lines[$0].hasPrefix("\(name)=\"") || lines[$0].hasPrefix("\(name)=/") }
      try #require(places.count == 1, "\(name) is set \(places.count) times")
      lines[places[0]] = "\(name)=\"\(value)\""
    }
    return lines.joined(separator: "\n")
  }
}

/// Somebody at a terminal, with PostgreSQL's programs and `roost` on the PATH.
struct Terminal {
  let folder: String
  private let path: String

  /// Commands run in `folder`, which is made for it to be used by anybody.
  init(in folder: String) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../scripts/with-postgres")
    let bin = try ChildProcess.run(
      script.standardizedFileURL.path, ["--bindir"], environment: ["PATH": "/usr/bin:/bin"],
      timeoutMilliseconds: 10_000)
    try #require(bin.succeeded, "\(bin.output)")
    let binary = try #require(ProcessInfo.processInfo.environment["ROOST_TEST_BINARY"])
    let programs = "\(folder)/bin"
    let made = try ChildProcess.run(
      "/bin/sh", ["-c", "mkdir -p \(programs) && chmod 777 \(folder) && ln -s '\(binary)' \(programs)/roost"],
      environment: ["PATH": "/usr/bin:/bin"], timeoutMilliseconds: 10_000)
    try #require(made.succeeded, "\(made.output)")
    self.folder = folder
    path = bin.output.split(separator: "\n")[0] + ":\(programs):/usr/bin:/bin:/usr/local/bin"
  }

  /// What the commands write. One that fails ends them, and the test.
  @discardableResult
  func run(_ commands: String, as user: ChildProcess.User? = nil) throws -> String {
    var environment = ["PATH": path, "HOME": folder]
    // What marks servers for whoever cleans up after the tests.
    environment["ROOST_TEST_RUN"] = ProcessInfo.processInfo.environment["ROOST_TEST_RUN"]
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    let outcome = try ChildProcess.run(
      "/bin/bash", ["-euo", "pipefail", "-c", commands], environment: environment, as: user, folder: folder,
      timeoutMilliseconds: 60_000)
    try #require(outcome.succeeded, "\(commands)\n\(outcome.output)")
    return outcome.output
  }
}
