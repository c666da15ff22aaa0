import Testing

@testable import roost

@Suite struct ConfigDatabaseTests {
  private let secret = "hunter2-planted"

  @Test(arguments: ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"])
  func `a variable of libpq that says where means a database of your own`(name: String) {
    let config = reading([name: "1"]).config
    #expect(config.database.isInEnvironment)
    #expect(!config.database.isPrivate)
    #expect(config.database.url == nil)
  }

  @Test(arguments: ["PGPASSWORD", "PGAPPNAME", "PGDATA", "PGCONNECT_TIMEOUT"])
  func `other variables of PostgreSQL do not`(name: String) {
    #expect(reading([name: "1"]).config.database.isPrivate)
  }

  @Test func `DATABASE_URL goes before the variables of libpq`() {
    let config = reading(["DATABASE_URL": "postgresql://a@b/c", "PGHOST": "other"]).config
    #expect(config.database.url == Concealed("postgresql://a@b/c"))
    #expect(!config.database.isInEnvironment)
  }

  @Test func `a secret may lie in a file`() {
    let read = reading(
      ["DATABASE_URL_FILE": "/run/secrets/url"], files: ["/run/secrets/url": "postgresql://a@b/c\r\n\n"])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.database.url?.text == "postgresql://a@b/c")
    let byFlag = reading(flags: ["--mail-url-file": "m"], files: ["m": "smtps://user:\(secret)@mail.example:465"])
    #expect(byFlag.config.mail.url?.text == "smtps://user:\(secret)@mail.example:465")
  }

  @Test func `a file is only for secrets`() {
    #expect(reading(["WORKERS_FILE": "/w"], files: ["/w": "7"]).config.http.workers == 1)
  }

  @Test func `a secret given twice is a mistake`() {
    let mistakes = reading(["MAIL_URL": "smtp://\(secret)", "MAIL_URL_FILE": "/m"], files: ["/m": "smtp://m"]).mistakes
    #expect(mistakes.map(\.description) == ["MAIL_URL: set too: MAIL_URL_FILE; give one of them"])
    let flags = reading(flags: ["--database-url": "host=a", "--database-url-file": "/m"], files: ["/m": "host=b"])
    #expect(flags.mistakes.map(\.setting) == ["--database-url"])
  }

  @Test func `a flag replaces both the variable and its file`() {
    let read = reading(["DATABASE_URL_FILE": "/missing"], flags: ["--database-url": "host=a"])
    #expect(read.mistakes.isEmpty)
    #expect(read.config.database.url?.text == "host=a")
  }

  @Test func `a file that cannot be read is a mistake that names it`() {
    let mistakes = reading(["DATABASE_URL_FILE": "/missing"]).mistakes
    #expect(
      mistakes.map(\.description) == [#"DATABASE_URL_FILE="/missing": cannot be read: No such file or directory"#])
  }

  @Test func `a secret is in no mistake, no description and no dump`() {
    let wrong = [
      ["DATABASE_URL": "postgres//u:\(secret)@h"], ["DATABASE_URL": secret], ["MAIL_URL": "http://u:\(secret)@h"],
      ["DATABASE_URL_FILE": "/s"], ["MAIL_URL_FILE": "/s"], ["MAIL_URL": "smtp://u:\(secret)"],
    ]
    for environment in wrong {
      let read = reading(environment, files: ["/s": secret])
      #expect(!Program.complaint(read.mistakes).contains(secret))
      #expect(!"\(read.mistakes)".contains(secret))
    }
    let right = reading(["DATABASE_URL": "postgresql://u:\(secret)@h/d", "MAIL_URL": "smtp://u:\(secret)@h"])
    #expect(right.mistakes.isEmpty)
    #expect(right.config.database.url?.text.contains(secret) == true)
    var dumped = ""
    dump(right.config, to: &dumped)
    for text in ["\(right.config)", String(reflecting: right.config), dumped] { #expect(!text.contains(secret)) }
    for setting in Setting.all { #expect(setting.shown(right.config)?.contains(secret) != true) }
  }

  @Test func `a relative data folder begins where the process was started`() {
    let read = reading(["DATA_DIR": "data"]) { $0.workingDirectory = "/srv" }
    #expect(read.config.database.dataDirectory == "/srv/data")
    #expect(reading(["DATA_DIR": "/data"]).config.database.dataDirectory == "/data")
  }

  @Test(arguments: [
    ("smtp://mail", true), ("smtps://user:p@ss@mail.example:465", true), ("smtp://[::1]:25", true), ("smtp://", false),
    ("mail.example", false), ("http://mail.example", false), ("smtp://mail:0", false), ("smtp://mail/x", false),
    ("smtp://mail:1025?tls=optional", true), ("smtp://mail?tls=never", false), ("smtp://mail/?tls=optional", false),
  ])
  func `the mail server is named by its URL`(text: String, isAllowed: Bool) {
    #expect(reading(["MAIL_URL": text]).mistakes.isEmpty == isAllowed)
  }
}
