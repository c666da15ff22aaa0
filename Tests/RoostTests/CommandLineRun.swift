import Synchronization

@testable import roost

/// A run of the program inside the test, and what it said.
struct CommandLineRun {
  let code: Int32
  /// What went to standard output, and to standard error.
  let out: String
  let err: String

  init(_ arguments: [String], environment: [String: String] = [:]) {
    let transcript = Transcript()
    let console = Console(say: { transcript.say($0) }, complain: { transcript.complain($0) })
    let surroundings = Surroundings(environment: environment) { _ in .failure(Surroundings.FileTrouble(text: "none")) }
    code = Program(surroundings: surroundings, console: console).run(arguments).rawValue
    (out, err) = transcript.said
  }

  private final class Transcript: Sendable {
    private let text = Mutex((out: "", err: ""))

    var said: (String, String) { text.withLock { ($0.out, $0.err) } }

    func say(_ line: String) { text.withLock { $0.out += line + "\n" } }
    func complain(_ line: String) { text.withLock { $0.err += line + "\n" } }
  }
}
