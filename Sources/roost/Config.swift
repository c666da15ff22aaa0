import Log
import Mail
import Values

/// Everything that can be set about a server, checked. One value, made once at start by `ConfigReader`.
struct Config: Sendable, Equatable {
  var database = Database()
  var http = HTTP()
  var policy = Policy()
  var limits = Limits()
  var crew = Crew()
  var mail = Mail()
  var logging = Logging()

  /// Which PostgreSQL, and how many connections to it.
  struct Database: Sendable, Equatable {
    /// A libpq connection string. Nil: the `PG*` variables, or else a private cluster.
    var url: Concealed?
    /// Whether libpq's own variables say where the database is.
    var isInEnvironment = false
    /// Where the private cluster lies; an absolute path.
    var dataDirectory = "/var/lib/roost"
    /// Connections for reads, of each worker: one for each core is quickest, since reads share round trips.
    var readConnections = 4
    /// Connections for writes, of each worker.
    var writeConnections = 4
    /// How long a request waits for a connection and an answer, before it is answered 503.
    var answerMilliseconds = 1800

    /// Whether the server starts and keeps a PostgreSQL of its own.
    var isPrivate: Bool { url == nil && !isInEnvironment }
  }

  /// Where and how it serves.
  struct HTTP: Sendable, Equatable {
    var listen = ListenAddress(host: ClientAddress("127.0.0.1")!, port: 8080)
    /// Loops, each with a thread of its own.
    var workers = 1
    /// Where `/metrics` is; nil: nowhere.
    var metricsListen: ListenAddress?
    /// The origin that links carry, `https://roost.example`; `publicOrigin` says what holds when it is not set.
    var publicURL: String?
    /// Ranges in CIDR form whose `X-Forwarded-For` and `X-Forwarded-Proto` count.
    var trustedProxies: [AddressRange] = []
    /// Origins that browsers may call from; none: CORS is off.
    var corsOrigins: [String] = []
    /// Whether answers say what took their time.
    var tellsTimes = false
    /// Open connections of all workers together.
    var connectionsMax = 4096
    /// From the first byte of a request to the end of its header.
    var headerTimeoutSeconds = 10
    /// From the end of its header to the end of its body.
    var bodyTimeoutSeconds = 30
    /// Between two requests of a connection.
    var idleTimeoutSeconds = 60
    /// How often what is over is deleted.
    var sweepSeconds = 60
    /// For requests in flight when the process is told to stop.
    var shutdownTimeoutSeconds = 8

    var publicOrigin: String { publicURL ?? "http://\(listen.local)" }
  }

  /// Rules for passwords and sessions.
  struct Policy: Sendable, Equatable {
    /// In bytes of UTF-8 after NFC normalisation.
    var passwordLengthMin = 8
    var sessionIdleDays = 30
    var sessionMaxDays = 365
    /// How long events of the audit are kept.
    var auditRetentionDays = 365
  }

  /// How often what may happen. An address is one of IPv4 or a /64 of IPv6.
  struct Limits: Sendable, Equatable {
    /// Failed log-ins and password checks from one address.
    var loginAddress = Limit(60, everySeconds: 900)
    /// Failed log-ins to one account from one address.
    var loginAccountAddress = Limit(10, everySeconds: 900)
    /// Failed log-ins to one account in a row, from everywhere, before each further one waits a minute; 0 for no end.
    var loginAccountFailures = 100
    var registerAddress = Limit(20, everySeconds: 3600)
    var usernamesAddress = Limit(120, everySeconds: 60)
    /// Letters of one kind that are asked for from one address.
    var mailAddress = Limit(20, everySeconds: 3600)
    /// Letters of one kind to one account.
    var mailAccount = Limit(5, everySeconds: 3600)
    var tweetsAccount = Limit(300, everySeconds: 3600)
    var likesAccount = Limit(1000, everySeconds: 3600)
    var followsAccount = Limit(1000, everySeconds: 3600)
    /// Profile photos.
    var avatarAccount = Limit(20, everySeconds: 3600)
    var exportAccount = Limit(10, everySeconds: 3600)
  }

  /// The threads that hash passwords, shared by all workers.
  struct Crew: Sendable, Equatable {
    var hashThreads = 1
    /// Passwords that wait for a thread; one more is answered 503.
    var hashQueueMax = 256
  }

  struct Logging: Sendable, Equatable {
    var level = Log.Level.info
    var format = Log.Format.json
  }

  /// Letters.
  struct Mail: Sendable, Equatable {
    /// The mail server, by SMTP, or ``logURL``.
    var url: Concealed?
    /// Who letters come from; `sender(for:)` says what holds when it is not set.
    var from: Sender?
    /// The certificates that are trusted in place of the system's, a file in PEM form.
    var authorities: String?
    /// For each attempt to send one.
    var timeoutSeconds = 30

    /// As `MAIL_URL`: letters are printed to the log, in full.
    static let logURL = "log:"
  }
}

extension Config {
  /// What holds when nothing is set, on this machine.
  init(defaultsFor surroundings: Surroundings) {
    database.dataDirectory = surroundings.dataDirectory
    http.workers = max(1, surroundings.cores / 4)
    crew.hashThreads = surroundings.cores
    database.readConnections = min(4, surroundings.cores)
    logging.format = surroundings.isTerminal ? .text : .json
  }

  /// Mistakes that no setting has alone.
  var contradictions: [Mistake] {
    var mistakes: [Mistake] = []
    if policy.sessionIdleDays > policy.sessionMaxDays {
      mistakes.append(
        Mistake(
          setting: "SESSION_IDLE_DAYS", value: "\(policy.sessionIdleDays)",
          advice: "give at most the days of SESSION_MAX_DAYS, which is \(policy.sessionMaxDays)"))
    }
    return mistakes
  }
}
