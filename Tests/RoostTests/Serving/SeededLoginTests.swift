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

/// A seeded database beside a server that serves it.
@Suite(.onThreads) struct SeededLoginTests {
  private let nodes: Nodes

  init() throws { nodes = try Nodes(1) }

  private func seed(_ arguments: String, input: String) throws -> ChildProcess.Outcome {
    let binary = try #require(getenv("ROOST_TEST_BINARY").map { String(cString: $0) })
    return try ChildProcess.run(
      "/bin/bash", ["-c", "printf '%s' \"$INPUT\" | \"$ROOST\" seed --accounts 20 \(arguments)"],
      environment: [
        "PATH": "/usr/bin:/bin", "ROOST": binary, "INPUT": input, "DATABASE_URL": nodes.database.target.description,
      ], timeoutMilliseconds: 60_000)
  }

  @Test func `with a password everybody can log in, and sees the counts`() throws {
    let short = try seed("--password", input: "short")
    #expect(short.status == 1 && short.output.contains("Use at least"), "\(short.output)")
    let done = try seed("--viewers 7 --password", input: "a loom of algebra\n")
    #expect(done.succeeded && !done.output.contains("loom"), "\(done.output)")
    for name in ["seed_000001", "seed_000020", "viewer_7"] {
      let visitor = nodes.visitor()
      try visitor.logIn(name, "a loom of algebra").expect(201)
    }
    let viewer = nodes.visitor()
    let signedIn: SignedIn = try viewer.logIn("viewer_7", "a loom of algebra").expect(201).decoded()
    #expect(signedIn.user.following == 7)
  }
}
