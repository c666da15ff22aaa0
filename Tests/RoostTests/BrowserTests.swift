import EventLoop
import Postgres
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the tests find in their environment.
private enum BrowserSurroundings {
  static let browser = value("ROOST_TEST_BROWSER")

  static func value(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The web client in a real browser: each story of `Tests/Browser` on a server, a database and a Chromium of its own.
@Suite(
  .onThreads, .timeLimit(.minutes(10)),
  .enabled(
    if: BrowserSurroundings.browser != nil,
    "there is no Chromium (scripts/find-browser); on Debian: apt-get install chromium fonts-noto-cjk"))
struct BrowserTests {
  static let folder = URL(filePath: "../Browser", relativeTo: URL(filePath: #filePath)).standardizedFileURL

  static let stories = [
    "access", "accounts", "feed", "korean", "letters", "network", "people", "photo", "settings", "tabs",
  ]

  @Test(arguments: stories)
  func `a story goes as it should, and the browser complains of nothing`(story: String) throws {
    let database = try TestDatabase.fresh()
    let venv = try #require(
      BrowserSurroundings.value("ROOST_TEST_VENV"), "run `make test`, which makes a Python environment")
    var environment = [
      "DATABASE_URL": database.target.description, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
      "PYTHONUNBUFFERED": "1",
    ]
    for name in [
      "PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ROOST_TEST_RUN", "ROOST_TEST_BINARY", "ROOST_TEST_BROWSER",
    ] {
      environment[name] = BrowserSurroundings.value(name)
    }
    let outcome = try ChildProcess.run(
      "\(venv)/bin/python", [Self.folder.appending(path: "run.py").path, story], environment: environment,
      folder: Self.folder.path, timeoutMilliseconds: 240_000)
    #expect(outcome.succeeded, "\(outcome.output)")
  }

  @Test func `every story is told`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let told = try files.filter { $0.hasSuffix(".py") && $0 != "screenshots.py" }.filter {
      try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8).contains("\ndef scene_")
    }
    #expect(told.sorted() == Self.stories.map { "\($0).py" })
  }
}
