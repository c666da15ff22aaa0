import EventLoop
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct ChildProcessTests {
  func shell(_ script: String, input: String = "", outputBytesMax: Int = 1000) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      "/bin/sh", ["-c", script], environment: ["BIRD": "wren"], input: input, outputBytesMax: outputBytesMax,
      timeoutMilliseconds: 10_000)
  }

  @Test func `output, status and environment come through`() throws {
    let outcome = try shell("echo $BIRD; echo oops >&2; cat; exit 3", input: "typed")
    #expect(outcome.output == "wren\noops\ntyped")
    #expect(outcome.status == 3)
    #expect(outcome.signal == 0)
    #expect(!outcome.succeeded)
    #expect(try shell("exit 0").succeeded)
  }

  @Test func `a death by signal is told`() throws {
    let outcome = try shell("kill -9 $$")
    #expect(outcome.signal == 9)
    #expect(!outcome.succeeded)
  }

  @Test func `output beyond the limit is cut`() throws {
    #expect(try shell("echo 0123456789", outputBytesMax: 4).output == "0123")
  }

  @Test func `a child that takes too long is killed`() throws {
    let started = ContinuousClock.now
    #expect(throws: ChildProcess.Failure.timedOut(executable: "/bin/sleep", milliseconds: 50)) {
      try ChildProcess.run("/bin/sleep", ["60"], timeoutMilliseconds: 50)
    }
    #expect(ContinuousClock.now - started < .seconds(4))
  }

  @Test func `a program that is not there is reported`() throws {
    let failure = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess.run("/nonexistent/bird", [], timeoutMilliseconds: 1000)
    }
    #expect("\(failure!)" == "/nonexistent/bird could not be started: no such file or directory")
  }

  @Test func `a child has no descriptor of ours`() throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
    let outcome = try shell("ls /dev/fd/ | while read -r n; do [ $n -lt 3 ] || echo $n; done | wc -l")
    // One is that of `ls` itself.
    #expect(outcome.output == "1\n")
  }

  @Test func `a detached child lives in a session of its own and can be seen to end`() throws {
    let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(output) }
    let pid = try ChildProcess.startDetached("/bin/sleep", ["60"], output: output)
    #expect(getsid(pid) == pid)
    #expect(!ChildProcess.hasEnded(pid))
    kill(pid, SIGKILL)
    while !ChildProcess.hasEnded(pid) { usleep(1000) }
    #expect(ChildProcess.hasEnded(pid))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
  func `a child runs as the given user, in no other group`() throws {
    let outcome = try ChildProcess.run(
      "/usr/bin/id", [], as: .init(userID: 65534, groupID: 65534), timeoutMilliseconds: 5000)
    #expect(outcome.output.contains("uid=65534"))
    #expect(!outcome.output.contains("=0("))
    #expect(!outcome.output.contains("root"))
  }
}
