/// What a command line asks for.
enum Invocation: Sendable, Equatable {
  case help(Command?)
  case run(Command, Arguments)

  /// What follows the command.
  struct Arguments: Sendable, Equatable {
    /// Flags of settings and other flags with values.
    var flags: [String: String] = [:]
    /// Switches, such as `--dry-run`.
    var switches: Set<String> = []
    /// What is neither a flag nor a flag's value.
    var words: [String] = []
    /// What stands after `--`.
    var rest: [String] = []

    func has(_ option: Command.Switch) -> Bool { switches.contains(option.flag) }
  }

  /// What is wrong with a command line. Values of flags are not in it, since one may be a secret.
  struct Trouble: Error, Sendable, Equatable {
    let text: String
    /// The command whose help to offer.
    var command: Command?
  }

  /// Reads the arguments after the name of the program.
  init(_ arguments: [String]) throws(Trouble) {
    guard let first = arguments.first else { throw Trouble(text: "say what to do") }
    switch first {
    case "--help", "-h": self = .help(nil)
    case "help": self = .help(try arguments.dropFirst().first.map(Self.command))
    case "--version", "-V": self = .run(.version, Arguments())
    default:
      let command = try Self.command(first)
      let own = arguments.dropFirst().prefix { $0 != "--" }
      if own.contains("--help") || own.contains("-h") {
        self = .help(command)
      } else {
        self = .run(command, try Self.arguments(arguments.dropFirst(), of: command))
      }
    }
  }

  private static func command(_ word: String) throws(Trouble) -> Command {
    if let command = Command(rawValue: word) { return command }
    let names = Command.allCases.map(\.rawValue)
    if word.hasPrefix("-") { throw Trouble(text: "the command comes first: \(names.joined(separator: ", "))") }
    let hint = Suggestion.nearest(to: word, among: names + ["help"]).map { "; did you mean \($0)?" }
    throw Trouble(text: "there is no command \(shown(word))\(hint ?? "; there are \(names.joined(separator: ", "))")")
  }

  private static func arguments(_ words: ArraySlice<String>, of command: Command) throws(Trouble) -> Arguments {
    var arguments = Arguments()
    var words = words
    while let word = words.popFirst() {
      if word == "--" {
        arguments.rest = Array(words)
        guard command.passesArguments || words.isEmpty else {
          throw Trouble(text: "\(command.rawValue) takes nothing after --", command: command)
        }
        return arguments
      }
      try arguments.take(word, from: &words, for: command)
    }
    return arguments
  }

  /// A word to quote, unless it looks like a connection string with a password in it.
  fileprivate static func shown(_ word: String) -> String {
    word.contains("@") || word.contains("=") || word.contains("://") ? "of that name" : Mistake.quoted(word)
  }
}

extension Invocation.Arguments {
  fileprivate mutating func take(
    _ word: String, from words: inout ArraySlice<String>, for command: Command
  ) throws(Invocation.Trouble) {
    guard word.hasPrefix("-") else {
      if command.takesWords { return self.words.append(word) }
      let hint = command.passesArguments ? "; arguments of \(command.rawValue) go after --" : ""
      throw Invocation.Trouble(
        text: "\(command.rawValue) takes no argument \(Invocation.shown(word))\(hint)", command: command)
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let flag = parts[0]
    if command.switches.contains(where: { $0.flag == flag }) {
      guard parts.count == 1 else { throw Invocation.Trouble(text: "\(flag) takes no value", command: command) }
      switches.insert(flag)
      return
    }
    guard command.valueFlags.contains(flag) else { throw unknown(flag, of: command) }
    guard flags[flag] == nil else { throw Invocation.Trouble(text: "\(flag) is given twice", command: command) }
    guard let value = parts.count == 2 ? parts[1] : words.popFirst(), !value.isEmpty else {
      throw Invocation.Trouble(text: "\(flag) needs a value", command: command)
    }
    flags[flag] = value
  }

  private func unknown(_ flag: String, of command: Command) -> Invocation.Trouble {
    let name = command.rawValue
    if Command.allCases.contains(where: { $0.valueFlags.contains(flag) || $0.switches.contains { $0.flag == flag } }) {
      return Invocation.Trouble(text: "\(flag) is not for \(name)", command: command)
    }
    let candidates = command.valueFlags + command.switches.map(\.flag) + ["--help"]
    let other = command.passesArguments ? "; arguments of \(name) go after --" : ""
    let hint = Suggestion.nearest(to: flag, among: candidates).map { "; did you mean \($0)?" } ?? other
    return Invocation.Trouble(text: "\(name) has no flag \(Invocation.shown(flag))\(hint)", command: command)
  }
}

extension Command {
  fileprivate var valueFlags: [String] {
    settings.flatMap { [$0.flag, $0.isSecret ? $0.fileFlag : nil].compactMap(\.self) } + options.map(\.flag)
  }
}
