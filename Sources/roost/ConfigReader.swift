import Values

/// Makes a `Config` of flags, the environment and defaults, in this order of precedence.
///
/// It goes on after a mistake, so that all are reported at once. An empty variable counts as not set, as Compose files
/// make them.
struct ConfigReader {
  /// What may be set; others are neither read nor checked.
  var settings = Setting.all
  /// The command line: `["--listen": "127.0.0.1:8080"]`.
  var flags: [String: String] = [:]
  let surroundings: Surroundings

  /// What came out: where there are mistakes, the settings they name keep their defaults.
  struct Reading: Sendable {
    var config: Config
    var mistakes: [Mistake] = []
    /// By the name of the setting.
    var given: [String: Given] = [:]
  }

  /// A value before it is checked, and what gave it.
  struct Given: Sendable, Equatable {
    let text: String
    /// `LISTEN`, `--listen` or `DATABASE_URL_FILE`.
    let source: String

    var isFlag: Bool { source.hasPrefix("--") }
  }

  func read() -> Reading {
    var reading = Reading(config: Config(defaultsFor: surroundings))
    for setting in settings {
      guard let given = find(setting, &reading.mistakes) else { continue }
      reading.given[setting.name] = given
      if !setting.apply(given.text, &reading.config) {
        let value = setting.isSecret ? nil : given.text
        reading.mistakes.append(
          Mistake(setting: given.source, value: value, advice: "not allowed; give \(setting.allowed)"))
      }
    }
    settleListen(&reading)
    settleDatabase(&reading)
    reading.mistakes += reading.config.contradictions + unknownLimits()
    return reading
  }

  // MARK: Finding

  private func find(_ setting: Setting, _ mistakes: inout [Mistake]) -> Given? {
    let flags = sources(of: setting, direct: setting.flag, file: setting.fileFlag, in: self.flags)
    let variables = sources(of: setting, direct: setting.name, file: setting.fileName, in: surroundings.environment)
    let found = flags.isEmpty ? variables : flags
    if found.count == 2 {
      mistakes.append(
        Mistake(setting: found[0].source, value: nil, advice: "set too: \(found[1].source); give one of them"))
      return nil
    }
    guard let given = found.first, given.source == setting.fileName || given.source == setting.fileFlag else {
      return found.first
    }
    switch surroundings.contents(given.text) {
    case .success(let text):
      return Given(text: withoutEnd(text), source: given.source)
    case .failure(let trouble):
      mistakes.append(Mistake(setting: given.source, value: given.text, advice: "cannot be read: \(trouble.text)"))
      return nil
    }
  }

  /// Editors and `echo` end files with a line feed that is not part of the secret.
  private func withoutEnd(_ text: String) -> String {
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }

  private func sources(
    of setting: Setting, direct: String?, file: String?, in place: [String: String]
  ) -> [Given] {
    [direct, setting.isSecret ? file : nil].compactMap { name in
      guard let name, let text = place[name], !text.isEmpty else { return nil }
      return Given(text: text, source: name)
    }
  }

  // MARK: Settings that depend on each other

  private func settleListen(_ reading: inout Reading) {
    guard let given = reading.given["PORT"], let port = Digits.number(given.text, in: 0...65535) else { return }
    guard let listen = reading.given["LISTEN"] else {
      reading.config.http.listen.host = ClientAddress("0.0.0.0") ?? reading.config.http.listen.host
      return
    }
    guard let other = ListenAddress.Text(listen.text)?.port, other != port else { return }
    if listen.isFlag {
      reading.config.http.listen.port = other
    } else {
      reading.mistakes.append(
        Mistake(
          setting: "PORT", value: given.text,
          advice: "LISTEN names port \(other); leave the port out of LISTEN, or do not set PORT"))
    }
  }

  private func settleDatabase(_ reading: inout Reading) {
    let isNamed = ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"].contains {
      surroundings.environment[$0]?.isEmpty == false
    }
    reading.config.database.isInEnvironment = reading.config.database.url == nil && isNamed
    let directory = reading.config.database.dataDirectory
    if !directory.hasPrefix("/") {
      let start = surroundings.workingDirectory
      reading.config.database.dataDirectory = (start.hasSuffix("/") ? start : "\(start)/") + directory
    }
  }

  /// A limit with a misspelt name would be a limit that is not there.
  private func unknownLimits() -> [Mistake] {
    let known = settings.map(\.name).filter { $0.hasPrefix("LIMIT_") }
    guard !known.isEmpty else { return [] }
    let set = surroundings.environment.filter { !$0.value.isEmpty }.keys.sorted()
    return set.filter { $0.hasPrefix("LIMIT_") && !known.contains($0) }.map { name in
      let nearest = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
      return Mistake(
        setting: name, value: nil,
        advice: "there is no such limit; \(nearest ?? "there are \(known.joined(separator: ", "))")")
    }
  }
}
