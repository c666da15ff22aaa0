import Log
import Testing

@testable import roost

@Suite struct ConfigTests {
  @Test func `without anything set the documented defaults hold`() {
    let config = reading().config
    #expect(reading().mistakes.isEmpty)
    #expect(config.http.listen.description == "127.0.0.1:8080")
    #expect(config.http.publicOrigin == "http://127.0.0.1:8080")
    #expect(config.database.isPrivate)
    #expect(config.policy == Config.Policy(passwordLengthMin: 8, sessionIdleDays: 30, sessionMaxDays: 365))
    #expect(config.limits.loginAddress == Limit(60, everySeconds: 15 * 60))
    #expect(config.limits.loginAccountAddress == Limit(10, everySeconds: 15 * 60))
    #expect(config.limits.loginAccountFailures == 100)
    #expect(config.limits.registerAddress == Limit(20, everySeconds: 3600))
    #expect(config.limits.usernamesAddress == Limit(120, everySeconds: 60))
    #expect(config.limits.tweetsAccount == Limit(300, everySeconds: 3600))
    #expect(config.http.corsOrigins.isEmpty)
    #expect(config.http.trustedProxies.isEmpty)
    #expect(config.mail.url == nil)
  }

  @Test func `the machine decides about workers, hashing, the data folder and the form of the log`() {
    let big = reading(["HOME": "/home/ada"]) { $0.cores = 16 }.config
    #expect(big.http.workers == 4)
    #expect(big.crew.hashThreads == 16)
    #expect(big.database.dataDirectory == "/home/ada/.local/share/roost")
    #expect(big.logging == Config.Logging(level: .info, format: .json))
    #expect(reading { $0.cores = 1 }.config.http.workers == 1)
    #expect(reading { $0.isTerminal = true }.config.logging.format == .text)
    #expect(reading(["HOME": "/root"]) { $0.isRoot = true }.config.database.dataDirectory == "/var/lib/roost")
    let other = reading(["HOME": "/home/ada", "XDG_DATA_HOME": "/data"]).config
    #expect(other.database.dataDirectory == "/data/roost")
  }

  @Test(arguments: Setting.all.map(\.name))
  func `each setting is read from its variable and its flag, and the flag wins`(name: String) throws {
    let setting = try #require(Setting.all.first { $0.name == name })
    let samples = [
      "LISTEN": "0.0.0.0:81", "METRICS_LISTEN": "127.0.0.1:9100", "PUBLIC_URL": "https://roost.example",
      "TRUSTED_PROXIES": "10.0.0.0/8", "SERVER_TIMING": "true",
      "CORS_ORIGINS": "https://app.example", "DATABASE_URL": "host=h", "DATA_DIR": "/d", "LOG_LEVEL": "debug",
      "LOG_FORMAT": "text", "MAIL_URL": "smtp://mail:25",
      "MAIL_CA_FILE": "/dev/null", "MAIL_FROM": "Roost <no-reply@roost.example>",
    ]
    let candidates = samples[name].map { [$0] } ?? ["7", "9", "130"]
    let text = try #require(candidates.first { reading([name: $0]).mistakes.isEmpty })
    let byVariable = reading([name: text]).config
    #expect(byVariable != reading().config)
    #expect(setting.isSecret || setting.shown(byVariable)?.hasPrefix(text) == true)
    guard let flag = setting.flag else { return }
    #expect(reading(flags: [flag: text]).config == byVariable)
    let both = reading([name: "wrong"], flags: [flag: text])
    #expect(both.config == byVariable)
    #expect(both.mistakes.isEmpty)
  }

  @Test func `an empty variable counts as not set`() {
    var environment = ["PGHOST": "", "LIMIT_LOGIN_ADDRESS": ""]
    for setting in Setting.all {
      environment[setting.name] = ""
      environment[setting.fileName] = ""
    }
    let empty = reading(environment)
    #expect(empty.mistakes.isEmpty)
    #expect(empty.config == reading().config)
  }

  @Test func `all mistakes are reported at once, each with its name, value and what is allowed`() {
    let wrong = reading(
      [
        "WORKERS": "0", "PORT": "http", "LOG_LEVEL": "loud", "SESSION_IDLE_DAYS": "-1",
        "LIMIT_LOGIN_ADDRESS": "60/year",
        "LIMIT_LOGN_ADDRESS": "1", "TRUSTED_PROXIES": "10.0.0.0/33", "CORS_ORIGINS": "*", "PUBLIC_URL": "roost.example",
        "DATABASE_URL": "nonsense",
      ], flags: ["--password-min-length": "7"])
    #expect(
      Set(wrong.mistakes.map(\.description)) == [
        #"WORKERS="0": not allowed; give a whole number from 1 to 256"#,
        #"PORT="http": not allowed; give a port from 0 to 65535"#,
        #"LOG_LEVEL="loud": not allowed; give one of debug, info, warning, error"#,
        #"SESSION_IDLE_DAYS="-1": not allowed; give a whole number of days from 1 to 3650"#,
        """
        LIMIT_LOGIN_ADDRESS="60/year": not allowed; give a count and a time such as 60/15min or 20/h (s, min, h, d; at \
        most 30d), a count alone, or 0 for no limit
        """,
        "LIMIT_LOGN_ADDRESS: there is no such limit; did you mean LIMIT_LOGIN_ADDRESS?",
        """
        TRUSTED_PROXIES="10.0.0.0/33": not allowed; give addresses or ranges separated by commas, such as \
        10.0.0.0/8,fd00::/8
        """,
        #"CORS_ORIGINS="*": not allowed; give origins separated by commas, such as https://app.example"#,
        """
        PUBLIC_URL="roost.example": not allowed; give http:// or https://, a host and perhaps a port, without a path: \
        https://roost.example
        """,
        """
        DATABASE_URL: not allowed; give a connection string of libpq: postgresql://user@host/database or host=... \
        dbname=... user=...
        """,
        #"--password-min-length="7": not allowed; give a whole number of characters from 8 to 128"#,
      ])
    #expect(wrong.mistakes.count == 11)
    #expect(Program.complaint(wrong.mistakes).hasPrefix("roost: 11 settings are wrong\n  "))
    #expect(wrong.config.http.workers == reading().config.http.workers)
  }

  @Test func `a mistake quotes the value on one line and not without end`() {
    let mistakes = reading(["WORKERS": "1\n\u{1b}[2J" + String(repeating: "9", count: 1000)]).mistakes
    #expect(mistakes.count == 1)
    let text = mistakes.first?.description ?? ""
    #expect(text.hasPrefix(#"WORKERS="1\n\u{1B}[2J99"#))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(text.count < 200)
  }

  @Test(arguments: ["1 ", " 1", "+1", "1.0", "1e1", "٣", "0x1", "99999999999999999999", "-1"])
  func `a number is digits and nothing else`(text: String) {
    #expect(reading(["WORKERS": text]).mistakes.count == 1)
  }

  @Test func `a session cannot idle longer than it may live`() {
    let mistakes = reading(["SESSION_IDLE_DAYS": "40", "SESSION_MAX_DAYS": "30"]).mistakes
    #expect(
      mistakes.map(\.description)
        == [#"SESSION_IDLE_DAYS="40": give at most the days of SESSION_MAX_DAYS, which is 30"#])
    #expect(reading(["SESSION_IDLE_DAYS": "30", "SESSION_MAX_DAYS": "30"]).mistakes.isEmpty)
  }

  @Test func `a command reads only its own settings`() {
    let wrong = ["WORKERS": "0", "LIMIT_NOTHING": "1"]
    #expect(reading(wrong).mistakes.count == 2)
    #expect(reading(wrong, settings: Command.psql.settings).mistakes.isEmpty)
  }
}
