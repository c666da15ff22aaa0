import EventLoop
import Log
import Postgres
import Secrets
import Services
import Store
import Synchronization
import Values

/// `roost accounts`: what those who run the service may do to accounts, on the same services as the API.
struct OperateAccounts {
  let config: Config
  let arguments: Invocation.Arguments
  let log: Log
  let console: Console

  /// What can be done.
  enum Action: String, CaseIterable, Sendable {
    case list, show, disable, enable, delete
    case endSessions = "end-sessions"
    case setPassword = "set-password"

    var summary: String {
      switch self {
      case .list: "all accounts, newest first"
      case .show: "one account"
      case .disable: "end its sessions at once, and let nobody log in"
      case .enable: "let its owner log in again"
      case .delete: "delete it with all that is its own; asks, unless --yes is given"
      case .endSessions: "end its sessions at once"
      case .setPassword: "give it another password, read from the terminal or standard input; ends its sessions"
      }
    }
  }

  /// What the words of the command line ask for.
  private enum Request {
    case list
    case act(Action, name: String)
  }

  private static let pageRows = 500
  private static let answerMilliseconds = 30_000

  func run() -> ExitCode {
    guard let request = request() else { return .usage }
    var secret = ""
    if case .act(.setPassword, _) = request {
      guard let text = Keyboard.password(console) else {
        return fail("the passwords are not the same, or there is none")
      }
      secret = text
    }
    if case .act(.delete, let name) = request, !arguments.has(Command.yes), !Keyboard.confirms(name, console) {
      return fail("nothing was deleted; confirm with the name as you gave it, or give --yes")
    }
    do {
      let database = try Database(config.database, log: log)
      let code = run(request, secret, database.target)
      try database.release()
      return code
    } catch {
      return fail("\(error)")
    }
  }

  private func request() -> Request? {
    let words = arguments.words
    guard let word = words.first, let action = Action(rawValue: word) else {
      complain("say what to do: \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
      return nil
    }
    if action == .list, words.count == 1 { return .list }
    if action != .list, words.count == 2 { return .act(action, name: words[1]) }
    complain(action == .list ? "list takes no name" : "\(word) takes one username, email address or id")
    return nil
  }

  private func complain(_ text: String) {
    console.complain("roost: \(text)\nSee: roost accounts --help")
  }

  private func fail(_ text: String) -> ExitCode {
    console.complain("roost: \(text)")
    return .failed
  }

  // MARK: The loop

  private func run(_ request: Request, _ secret: String, _ target: ConnectionTarget) -> ExitCode {
    do {
      if case .behind = try Database.migrator(target, log: log).state() {
        return fail("the database is behind this program; run roost migrate first")
      }
    } catch {
      return fail("\(error)")
    }
    let loop = Loop()
    var limits = Pool.Limits()
    (limits.readConnections, limits.writeConnections, limits.answerMilliseconds) = (1, 1, Self.answerMilliseconds)
    let connector = Connector(target, statementMilliseconds: Self.answerMilliseconds)
    let pool = Pool(on: loop, connector: connector, limits: limits, log: log)
    let operators = Operators(
      database: Services.Database(pool, lifetime: SessionLifetime(config.policy)),
      hasher: PasswordHasher(crew: Crew(threads: 1, queueMax: 1, niceness: 0, name: "hash")), ids: IDSource(),
      policy: Password.Policy(lengthMin: config.policy.passwordLengthMin))
    let outcome = Mutex<Failure?>(nil)
    let printer = AccountPrinter(console: console, isJSON: arguments.has(Command.json))
    Task(executorPreference: loop) {
      await pool.open()
      do throws(Failure) {
        try await Self.perform(request, secret, operators, printer)
      } catch {
        outcome.withLock { $0 = error }
      }
      await pool.close()
      loop.stop()
    }
    loop.run()
    guard let failure = outcome.withLock({ $0 }) else { return .done }
    return fail(Self.words(failure))
  }

  private static func perform(
    _ request: Request, _ secret: String, _ operators: Operators, _ printer: AccountPrinter
  ) async throws(Failure) {
    switch request {
    case .list:
      printer.begin()
      var before: AccountID?
      while true {
        let page = try await operators.list(before: before, limit: pageRows)
        for account in page { printer.line(account) }
        guard page.count == pageRows else { return }
        before = page.last?.account.id
      }
    case .act(let action, let name):
      let named = NamedAccount(name)
      switch action {
      case .list: return
      case .show: printer.all(try await operators.show(named))
      case .disable:
        try await operators.disable(named)
        printer.say("disabled; its sessions have ended")
      case .enable:
        try await operators.enable(named)
        printer.say("enabled")
      case .delete:
        try await operators.delete(named)
        printer.say("deleted")
      case .endSessions:
        let count = try await operators.endSessions(named)
        printer.say("\(count) \(count == 1 ? "session has" : "sessions have") ended")
      case .setPassword:
        try await operators.setPassword(named, to: secret)
        printer.say("the password is set; its sessions have ended")
      }
    }
  }

  private static func words(_ failure: Failure) -> String {
    switch failure {
    case .notFound: "there is no such account"
    case .invalidFields(let faults): faults.map(\.fault.message).joined(separator: " ")
    case .databaseUnavailable: "the database does not answer"
    case .internalError(let reason): reason
    default: "\(failure)"
    }
  }
}
