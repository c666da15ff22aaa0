import EventLoop
import Foundation
import TestSupport
import Testing

/// The package as an app sees it that depends on it.
@Suite struct EmbeddingTests {
  @Test func `an app builds with RoostClient, without the server and the C libraries that it needs`() async throws {
    let script = URL(filePath: "../../scripts/test-embedding", relativeTo: URL(filePath: #filePath)).standardizedFileURL
    var environment: [String: String] = [:]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    let outcome = try await offPool { [environment] in
      try ChildProcess.run(script.path, [], environment: environment, timeoutMilliseconds: 600_000)
    }
    #expect(outcome.succeeded, "\(outcome.output)")
    #expect(outcome.output.contains("An app builds with RoostClient alone."))
  }
}
