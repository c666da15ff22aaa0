import Log

/// The program: reads the command line and the settings, and hands over to the command.
struct Program: Sendable {
  let surroundings: Surroundings
  let console: Console

  /// Does what `arguments` (without the program's name) ask for; answers how to exit.
  func run(_ arguments: [String]) -> ExitCode {
    do {
      switch try Invocation(arguments) {
      case .help(let command):
        console.say(command.map(Help.text(for:)) ?? Help.overview)
        return .done
      case .run(let command, let arguments):
        return run(command, arguments)
      }
    } catch {
      let help = error.command.map { "roost \($0.rawValue) --help" } ?? "roost --help"
      console.complain("roost: \(error.text)\nSee: \(help)")
      return .usage
    }
  }

  private func run(_ command: Command, _ arguments: Invocation.Arguments) -> ExitCode {
    if command == .version { return Version(console: console).run() }
    if arguments.has(Command.table) {
      console.say(Help.markdown)
      return .done
    }
    let reader = ConfigReader(settings: command.settings, flags: arguments.flags, surroundings: surroundings)
    let reading = reader.read()
    if command == .check, !arguments.has(Command.ready) {
      return Check(reading: reading, surroundings: surroundings, console: console).run()
    }
    guard reading.mistakes.isEmpty else {
      console.complain(Self.complaint(reading.mistakes))
      return .config
    }
    let config = reading.config
    switch command {
    case .serve:
      let log = Log(level: config.logging.level, format: config.logging.format, descriptor: Self.standardOutput)
      return Serve(config: config, migrates: !arguments.has(Command.noMigrate), log: log, console: console).run()
    case .migrate:
      return Migrate(config: config, arguments: arguments, log: toolLog(config), console: console).run()
    case .psql:
      return Psql(config: config, arguments: arguments.rest, log: toolLog(config), console: console).run()
    case .accounts:
      return OperateAccounts(config: config, arguments: arguments, log: toolLog(config), console: console).run()
    case .seed:
      return Seed(config: config, arguments: arguments, log: toolLog(config), console: console).run()
    case .check: return ReadyProbe(address: config.http.listen.local, console: console).run()
    case .version: return .done
    }
  }

  /// Tools answer in their own words on standard output; the log has what went wrong on the way.
  private func toolLog(_ config: Config) -> Log {
    Log(level: max(config.logging.level, .warning), format: config.logging.format, descriptor: Self.standardError)
  }

  private static let standardOutput: Int32 = 1
  private static let standardError: Int32 = 2

  /// All mistakes at once.
  static func complaint(_ mistakes: [Mistake]) -> String {
    let count = mistakes.count == 1 ? "a setting is wrong" : "\(mistakes.count) settings are wrong"
    return (["roost: \(count)"] + mistakes.map { "  \($0)" }).joined(separator: "\n")
  }
}
