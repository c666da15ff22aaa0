import EventLoop
import Log
import Mail
import Routes
import Services
import Values

/// How this process mails: what all its couriers share.
struct Mailing: Sendable {
  let route: Courier.Route
  let stationery: Courier.Stationery
  let pace: Courier.Pace

  /// Letters under way at once, in the whole process.
  private static let lettersAtOnceMax = 4
  /// Beyond the longest attempt, for the node to note what became of it.
  private static let leaseSpareSeconds = 15

  init(_ config: Config) {
    let origin = PublicURL(config.http.publicOrigin).origin
    stationery = Courier.Stationery(sender: config.mail.sender(for: origin), publicOrigin: origin)
    var pace = Courier.Pace()
    pace.leaseSeconds = 2 * config.mail.timeoutSeconds + Self.leaseSpareSeconds
    pace.lettersAtOnce = max(1, Self.lettersAtOnceMax / config.http.workers)
    self.pace = pace
    route = Self.route(config, lettersAtOnce: pace.lettersAtOnce * config.http.workers)
  }

  private static func route(_ config: Config, lettersAtOnce: Int) -> Courier.Route {
    switch config.mailing {
    case .log: return .log
    case .none: return .none
    case .server(let server):
      let milliseconds = config.mail.timeoutSeconds * 1_000
      let smtp = SMTP(
        server, authorities: config.mail.authorities, connectMilliseconds: min(10_000, milliseconds),
        totalMilliseconds: milliseconds)
      return .smtp(smtp, Crew(threads: lettersAtOnce, queueMax: lettersAtOnce, niceness: 5, name: "mail"))
    }
  }

  /// Says, at start, when letters will not arrive.
  static func announce(_ config: Config, _ log: Log) {
    switch config.mailing {
    case .server(let server): log.info("mail", ["server": .text(server.description)])
    case .log:
      log.warning("mail_is_logged", ["reason": .text("letters are printed here in full, for want of a MAIL_URL")])
    case .none: log.warning("mail_waits", ["reason": .text("letters wait for a MAIL_URL, a day at most")])
    }
  }
}

extension Config {
  /// What becomes of letters.
  enum Mailing {
    case server(MailServer)
    case log
    case none
  }

  /// Without a mail server they are printed for whoever reads the log as text, and wait where machines read it.
  var mailing: Mailing {
    if let text = mail.url?.text {
      if text == Mail.logURL { return .log }
      if let server = MailServer(text) { return .server(server) }
    }
    return logging.format == .text ? .log : .none
  }
}

extension Config.Mail {
  /// Who letters come from: unless it is set, `no-reply` at the host that people reach the service by.
  func sender(for origin: String) -> Sender {
    if let from { return from }
    let authority = origin.split(separator: "/").last ?? ""
    let host = authority.prefix { $0 != ":" }
    let isName = ClientAddress(String(host)) == nil && !authority.hasPrefix("[")
    return Sender("no-reply@\(isName ? host : "localhost")") ?? .placeholder
  }
}
