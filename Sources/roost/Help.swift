/// The texts of `--help`, made of the commands and the table of settings.
enum Help {
  /// `roost --help`.
  static var overview: String {
    let width = Command.allCases.map(\.rawValue.count).max() ?? 0
    let commands = Command.allCases.map { "  \(padded($0.rawValue, width))  \($0.summary)" }
    return """
      roost: accounts, sessions and a home feed on your own PostgreSQL.

      Usage: roost COMMAND [FLAGS]

      \(commands.joined(separator: "\n"))

      roost COMMAND --help says what a command does and what can be set.
      """
  }

  /// `roost serve --help`.
  static func text(for command: Command) -> String {
    let words = command.takesWords ? " ACTION [NAME]" : ""
    var lines = [
      "roost \(command.rawValue): \(command.summary).", "", command.details, "",
      "Usage: roost \(command.rawValue)\(words) [FLAGS]\(command.passesArguments ? " [-- ARGUMENTS]" : "")",
    ]
    if !command.switches.isEmpty { lines.append("") }
    lines += command.options.map { "  \(padded("\($0.flag) \($0.placeholder)", 22))  \($0.help)" }
    lines += command.switches.map { "  \(padded($0.flag, command.options.isEmpty ? 14 : 22))  \($0.help)" }
    if !command.settings.isEmpty {
      lines += ["", "Each flag has a variable of the environment; the flag wins."]
    }
    for topic in command.topics { lines += ["", topic.rawValue] + self.lines(for: topic) }
    return lines.joined(separator: "\n")
  }

  /// The table for the documentation: `roost check --settings`.
  static var markdown: String {
    let config = Config()
    let rows = Setting.all.map { setting in
      let flag = setting.flag.map { "`\($0)`" } ?? ""
      let names = setting.isSecret ? "`\(setting.name)`, `\(setting.fileName)`" : "`\(setting.name)`"
      let standard = standard(of: setting, config).map { "`\($0)`" } ?? ""
      return "| \(names) | \(flag) | \(setting.help) | \(setting.allowed) | \(standard) |"
    }
    return (["| variable | flag | what | allowed | default |", "|---|---|---|---|---|"] + rows).joined(separator: "\n")
  }

  private static func lines(for topic: Setting.Topic) -> [String] {
    let config = Config()
    return Setting.all.filter { $0.topic == topic }.flatMap { setting in
      let flag = setting.flag.map { "\($0) \(setting.placeholder)" } ?? "(variable only)"
      let names = setting.isSecret ? "\(setting.name), \(setting.fileName)" : setting.name
      let standard = standard(of: setting, config).map { " [\($0)]" } ?? ""
      return ["  \(padded(flag, 38)) \(names)", "      \(setting.help)\(standard)"]
    }
  }

  /// None where the machine decides, which the help says in words.
  private static func standard(of setting: Setting, _ config: Config) -> String? {
    if setting.help.contains("default") || setting.name == "PORT" { return nil }
    let text = setting.shown(config)
    return text?.isEmpty == true ? nil : text
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
