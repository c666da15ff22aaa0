/// One thing that can be set, by a variable of the environment or by a flag. The whole list is `Setting.all`.
struct Setting: Sendable {
  /// The variable, `LISTEN`.
  let name: String
  /// The flag, `--listen`; nil when only the environment can set it.
  let flag: String?
  let topic: Topic
  let placeholder: String
  let allowed: String
  /// A phrase for help, units included.
  let help: String
  /// Never shown; can also come from a file, by `NAME_FILE` or `--name-file`.
  let isSecret: Bool
  /// The value that a configuration has; nil when it has none.
  let shown: @Sendable (Config) -> String?
  /// Sets it; false when the text is not allowed.
  let apply: @Sendable (_ text: String, inout Config) -> Bool

  /// What a setting is about; a command takes only the flags of some topics.
  enum Topic: String, CaseIterable, Sendable {
    case serving = "Serving"
    case database = "Database"
    case policy = "Passwords and sessions"
    case limits = "Limits"
    case capacity = "Capacity and time-outs"
    case mail = "Mail"
    case logging = "Log"
  }

  /// `DATABASE_URL_FILE`.
  var fileName: String { "\(name)_FILE" }
  /// `--database-url-file`.
  var fileFlag: String? { flag.map { "\($0)-file" } }

  /// `--data-dir` for `DATA_DIR`.
  static func flag(for name: String) -> String {
    "--" + name.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
  }
}

extension Setting {
  /// A setting that always has a value.
  init<Value>(
    _ name: String, _ topic: Topic, _ form: Form<Value>, _ value: any WritableKeyPath<Config, Value> & Sendable,
    _ help: String
  ) {
    self.init(
      name: name, flag: Self.flag(for: name), topic: topic, placeholder: form.placeholder, allowed: form.allowed,
      help: help, isSecret: false,
      shown: { form.print($0[keyPath: value]) },
      apply: { text, config in
        guard let new = form.parse(text, config[keyPath: value]) else { return false }
        config[keyPath: value] = new
        return true
      })
  }

  /// A setting that may have none.
  init<Value>(
    _ name: String, _ topic: Topic, _ form: Form<Value>, _ value: any WritableKeyPath<Config, Value?> & Sendable,
    standard: Value, isSecret: Bool = false, _ help: String
  ) {
    self.init(
      name: name, flag: Self.flag(for: name), topic: topic, placeholder: form.placeholder, allowed: form.allowed,
      help: help, isSecret: isSecret,
      shown: { $0[keyPath: value].map(form.print) },
      apply: { text, config in
        guard let new = form.parse(text, standard) else { return false }
        config[keyPath: value] = new
        return true
      })
  }
}
