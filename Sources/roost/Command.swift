/// What the program can be asked to do.
enum Command: String, CaseIterable, Sendable {
  case serve, migrate, psql, accounts, seed, check, version

  /// A flag without a value.
  struct Switch: Sendable, Hashable {
    let flag: String
    let help: String
  }

  /// A flag with a value that is no setting.
  struct Option: Sendable, Hashable {
    let flag: String
    let placeholder: String
    let help: String
  }

  static let noMigrate = Switch(flag: "--no-migrate", help: "leave the schema as it is; it must be current")
  static let dryRun = Switch(flag: "--dry-run", help: "only say what would be applied; fails when something would be")
  static let json = Switch(flag: "--json", help: "list and show: one JSON document on each line")
  static let yes = Switch(flag: "--yes", help: "do not ask: delete, or seed a database that has accounts")
  static let password = Switch(
    flag: "--password", help: "let all of them log in with one password, typed or from standard input")
  static let ready = Switch(flag: "--ready", help: "ask the running server's /readyz, silently when it is ready")
  static let table = Switch(flag: "--settings", help: "print the table of all settings, in Markdown, and nothing else")

  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .serve: "serve the API, after bringing the database up to date"
    case .migrate: "bring the database up to date"
    case .psql: "open psql on the database"
    case .accounts: "list, show, disable, enable or delete accounts, end their sessions, set their passwords"
    case .seed: "fill a database with made-up accounts, tweets and follows, to measure or to try things on"
    case .check: "look for mistakes in settings, database and schema"
    case .version: "print the versions of roost and its libraries"
    }
  }

  /// What somebody who asks for help should know besides.
  var details: String {
    switch self {
    case .serve:
      """
      Without DATABASE_URL and PG* variables it starts a private PostgreSQL below DATA_DIR and keeps it running.
      SIGTERM or Ctrl-C lets requests in flight finish, then ends it; a second one ends it at once.
      """
    case .migrate:
      """
      Any number of nodes may do this at once, beside others that serve. Each file of sql/ is applied once: in one
      transaction, or so that it begins anew when it was broken off.
      """
    case .psql:
      "What follows -- goes to psql: roost psql -- -c 'table account_overview'. The password never shows in `ps`."
    case .accounts:
      OperateAccounts.Action.allCases.map { action in
        "  \(Help.padded(action == .list ? "list" : "\(action.rawValue) NAME", 18)) \(action.summary)"
      }.joined(separator: "\n") + """
        \n
        NAME is a username, an email address or an id. A password is never an argument: it is typed, or comes from
        standard input. Ends with 1 when there is no such account.
        """
    case .seed:
      """
      Accounts are seed_000001, seed_000002 ...; few are followed by many and tweet much, many never tweet. All is one
      transaction, and the same numbers make the same rows, with times in the year that ended at midnight (UTC). A
      database that has accounts is left alone, unless that is confirmed or --yes is given.
      """
    case .check:
      "Ends with 0 when all is well, with 78 when a setting is wrong, with 1 when the database or the schema is."
    case .version:
      "Without a connection to anything."
    }
  }

  /// The settings that it reads.
  var topics: [Setting.Topic] {
    switch self {
    case .serve, .check: Setting.Topic.allCases
    case .migrate: [.database, .logging]
    case .psql: [.database, .logging]
    case .accounts, .seed: [.database, .policy, .logging]
    case .version: []
    }
  }

  var settings: [Setting] { Setting.all.filter { topics.contains($0.topic) } }

  var switches: [Switch] {
    switch self {
    case .serve: [Self.noMigrate]
    case .migrate: [Self.dryRun]
    case .check: [Self.ready, Self.table]
    case .accounts: [Self.json, Self.yes]
    case .seed: [Self.password, Self.yes]
    case .psql, .version: []
    }
  }

  var options: [Option] {
    switch self {
    case .migrate: [Migrate.last]
    case .seed: SeedPlan.options
    case .serve, .psql, .accounts, .check, .version: []
    }
  }

  /// Whether arguments after `--` are passed on.
  var passesArguments: Bool { self == .psql }

  /// Whether it takes words, such as the name of an account.
  var takesWords: Bool { self == .accounts }
}
