import Log
import Mail

extension Setting {
  /// Everything that can be set. Help, `roost check`, the table of the documentation and the reader all come from here.
  static let all: [Setting] = serving + database + policy + limits + capacity + mail + logging

  private static let serving: [Setting] = [
    Setting(
      name: "LISTEN", flag: "--listen", topic: .serving, placeholder: "HOST:PORT",
      allowed: "an address of this machine and perhaps a port: 127.0.0.1:8080, 0.0.0.0, [::1]:8080",
      help: "where to listen: 0.0.0.0 or [::] for every address; port 0 for any free one", isSecret: false,
      shown: { $0.http.listen.description },
      apply: { text, config in
        guard let given = ListenAddress.Text(text) else { return false }
        config.http.listen.host = given.host
        config.http.listen.port = given.port ?? config.http.listen.port
        return true
      }),
    Setting(
      name: "PORT", flag: nil, topic: .serving, placeholder: "N", allowed: "a port from 0 to 65535",
      help: "the port, as hosting platforms give it; without LISTEN it serves on every IPv4 address", isSecret: false,
      shown: { "\($0.http.listen.port)" },
      apply: { text, config in
        guard let port = Digits.number(text, in: 0...65535) else { return false }
        config.http.listen.port = port
        return true
      }),
    Setting(
      name: "METRICS_LISTEN", flag: "--metrics-listen", topic: .serving, placeholder: "HOST:PORT",
      allowed: "an address of this machine and a port: 127.0.0.1:9100",
      help: "where /metrics is, for Prometheus (default: nowhere); clients must not reach it", isSecret: false,
      shown: { $0.http.metricsListen?.description },
      apply: { text, config in
        guard let given = ListenAddress.Text(text), let port = given.port else { return false }
        config.http.metricsListen = ListenAddress(host: given.host, port: port)
        return true
      }),
    Setting(
      "PUBLIC_URL", .serving, .origin, \.http.publicURL, standard: "",
      "how people reach it; links carry it, and https makes cookies secure (default: LISTEN's address)"),
    Setting(
      "WORKERS", .serving, .number(1...256), \.http.workers, "loops, each a thread (default: a quarter of the cores)"),
    Setting(
      "TRUSTED_PROXIES", .serving, .ranges, \.http.trustedProxies,
      "proxies whose X-Forwarded-For and X-Forwarded-Proto count"),
    Setting("CORS_ORIGINS", .serving, .origins, \.http.corsOrigins, "origins of web pages that may call from browsers"),
    Setting(
      "SERVER_TIMING", .serving, .choice, \.http.tellsTimes,
      "whether answers to who is signed in say what took their time (Server-Timing); attackers read it too"),
  ]

  private static let database: [Setting] = [
    Setting(
      "DATABASE_URL", .database, .database, \.database.url, standard: Concealed(""), isSecret: true,
      "the database; without it libpq's PG* variables, and without those a private cluster in DATA_DIR"),
    Setting(
      "DATA_DIR", .database, .path, \.database.dataDirectory,
      "where the private cluster lies (default: /var/lib/roost for root, else ~/.local/share/roost or XDG's)"),
    Setting(
      "DATABASE_READ_CONNECTIONS", .database, .number(1...64), \.database.readConnections,
      "connections for reads, of each worker (default: the cores, 4 at most)"),
    Setting(
      "DATABASE_WRITE_CONNECTIONS", .database, .number(1...64), \.database.writeConnections,
      "connections for writes, of each worker"),
    Setting(
      "DATABASE_TIMEOUT_MILLISECONDS", .database, .number(100...60_000, "milliseconds"), \.database.answerMilliseconds,
      "how long a request waits for the database before it is answered 503"),
  ]

  private static let policy: [Setting] = [
    Setting(
      "PASSWORD_MIN_LENGTH", .policy, .number(8...128, "characters"), \.policy.passwordLengthMin,
      "the shortest password, in Unicode code points"),
    Setting(
      "SESSION_IDLE_DAYS", .policy, .number(1...3650, "days"), \.policy.sessionIdleDays,
      "a session ends after so many days without use"),
    Setting(
      "SESSION_MAX_DAYS", .policy, .number(1...3650, "days"), \.policy.sessionMaxDays,
      "a session ends after so many days in any case"),
    Setting(
      "AUDIT_RETENTION_DAYS", .policy, .number(1...36_500, "days"), \.policy.auditRetentionDays,
      "events of the audit are deleted after so many days"),
  ]

  private static let limits: [Setting] = [
    Setting("LIMIT_LOGIN_ADDRESS", .limits, .limit, \.limits.loginAddress, "failed log-ins from one address"),
    Setting(
      "LIMIT_LOGIN_ACCOUNT_ADDRESS", .limits, .limit, \.limits.loginAccountAddress,
      "failed log-ins to one account from one address"),
    Setting(
      "LIMIT_LOGIN_ACCOUNT", .limits, .number(0...Limit.countMax), \.limits.loginAccountFailures,
      "failed log-ins in a row to one account, before each further one waits a minute; 0 for no limit"),
    Setting("LIMIT_REGISTER_ADDRESS", .limits, .limit, \.limits.registerAddress, "new accounts from one address"),
    Setting("LIMIT_USERNAMES_ADDRESS", .limits, .limit, \.limits.usernamesAddress, "questions for free usernames"),
    Setting(
      "LIMIT_MAIL_ADDRESS", .limits, .limit, \.limits.mailAddress,
      "letters of one kind (reset, reminder, verification, change) that one address asks for"),
    Setting("LIMIT_MAIL_ACCOUNT", .limits, .limit, \.limits.mailAccount, "letters of one kind to one account"),
    Setting("LIMIT_TWEETS_ACCOUNT", .limits, .limit, \.limits.tweetsAccount, "tweets of one account"),
    Setting("LIMIT_LIKES_ACCOUNT", .limits, .limit, \.limits.likesAccount, "tweets that one account begins to like"),
    Setting(
      "LIMIT_FOLLOWS_ACCOUNT", .limits, .limit, \.limits.followsAccount, "accounts that one account begins to follow"),
    Setting("LIMIT_AVATAR_ACCOUNT", .limits, .limit, \.limits.avatarAccount, "profile photos uploaded to one account"),
    Setting("LIMIT_EXPORT_ACCOUNT", .limits, .limit, \.limits.exportAccount, "exports of one account's data"),
  ]

  private static let capacity: [Setting] = [
    Setting(
      "HASH_THREADS", .capacity, .number(1...256), \.crew.hashThreads,
      "threads that hash passwords (default: the cores)"),
    Setting(
      "HASH_QUEUE_MAX", .capacity, .number(1...100_000), \.crew.hashQueueMax,
      "passwords that wait for a thread; one more is answered 503"),
    Setting("CONNECTIONS_MAX", .capacity, .number(8...1_000_000), \.http.connectionsMax, "open HTTP connections"),
    Setting(
      "HEADER_TIMEOUT_SECONDS", .capacity, .number(1...600, "seconds"), \.http.headerTimeoutSeconds,
      "for the header of a request to arrive"),
    Setting(
      "BODY_TIMEOUT_SECONDS", .capacity, .number(1...600, "seconds"), \.http.bodyTimeoutSeconds,
      "for the body of a request to arrive"),
    Setting(
      "IDLE_TIMEOUT_SECONDS", .capacity, .number(1...3600, "seconds"), \.http.idleTimeoutSeconds,
      "for a connection without a request"),
    Setting(
      "SWEEP_SECONDS", .capacity, .number(1...86_400, "seconds"), \.http.sweepSeconds,
      "between two looks for sessions, links, counts, letters and events that are over"),
    Setting(
      "SHUTDOWN_TIMEOUT_SECONDS", .capacity, .number(1...600, "seconds"), \.http.shutdownTimeoutSeconds,
      "for requests in flight to end after SIGTERM"),
  ]

  private static let mail: [Setting] = [
    Setting(
      "MAIL_URL", .mail, .mail, \.mail.url, standard: Concealed(""), isSecret: true,
      "the mail server, by SMTP; log: prints letters to the log (default: so when the log is text, else they wait)"),
    Setting(
      "MAIL_CA_FILE", .mail, .file, \.mail.authorities, standard: "",
      "certificates (PEM) that are trusted to name the mail server, in place of the system's"),
    Setting(
      "MAIL_FROM", .mail, .sender, \.mail.from, standard: Sender.placeholder,
      "who letters come from (default: no-reply at PUBLIC_URL's host)"),
    Setting(
      "MAIL_TIMEOUT_SECONDS", .mail, .number(1...600, "seconds"), \.mail.timeoutSeconds,
      "for one attempt to send a letter, and once more for the answer to it"),
  ]

  private static let logging: [Setting] = [
    Setting("LOG_LEVEL", .logging, .word, \.logging.level, "the least important events that are logged"),
    Setting(
      "LOG_FORMAT", .logging, .word, \.logging.format, "json for machines, text for people (default on a terminal)"),
  ]
}
