public import EventLoop
public import Log
public import Mail
import Metrics
import Store
import Values

/// Sends the letters in the outbox, on every node, without a master.
///
/// A letter is leased, sent, and settled. One whose node dies in between is due again when its lease ends, so that
/// letters arrive at least once; two nodes never hold the same lease. What the mail server puts off is tried again, less
/// and less often, and given up a day after it was written.
public actor Courier {
  /// How letters leave this node.
  public enum Route: Sendable {
    case smtp(SMTP, Crew)
    /// Into the log, in full, for those who develop; the links work.
    case log
    /// Not at all: they wait for a node that has a mail server.
    case none
  }

  /// What letters need to know of this service.
  public struct Stationery: Sendable {
    let sender: Sender
    let publicOrigin: String

    /// `publicOrigin` is what links begin with, without a slash at its end.
    public init(sender: Sender, publicOrigin: String) {
      self.sender = sender
      self.publicOrigin = publicOrigin
    }
  }

  /// How often the outbox is looked at, and how long a letter belongs to one node.
  public struct Pace: Sendable {
    public var pollMilliseconds: UInt64 = 5_000
    /// Longer than any attempt takes.
    public var leaseSeconds = 60
    /// Letters that are leased, and sent, at once.
    public var lettersAtOnce = 2
    /// Before the second attempt; doubled before each further one.
    public var retrySeconds = 15.0
    public var retrySecondsMax = 3_600.0

    public init() {}
  }

  /// What became of letters on this node, for metrics.
  public nonisolated let meter = LetterMeter()

  private let loop: Loop
  private let database: Database
  private let route: Route
  private let stationery: Stationery
  private let pace: Pace
  private let log: Log
  private var timer: LoopTimer?
  private var isRunning = false
  private var isPoked = false
  private var isSweepDue = false
  private var isStopped = false
  private var onIdle: CheckedContinuation<Void, Never>?

  public init(on loop: Loop, database: Database, route: Route, stationery: Stationery, pace: Pace, log: Log) {
    self.loop = loop
    self.database = database
    self.route = route
    self.stationery = stationery
    self.pace = pace
    self.log = log
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Begins to look at the outbox.
  public func start() {
    timer = LoopTimer(on: loop) { [unowned self] in assumeIsolated { $0.tick() } }
    timer?.start(afterMilliseconds: 0, everyMilliseconds: pace.pollMilliseconds)
  }

  /// Takes no more letters, and waits for those that are being sent.
  public func stop(withinMilliseconds milliseconds: UInt64) async {
    isStopped = true
    timer = nil
    guard isRunning else { return }
    let limit = LoopTimer(on: loop) { [unowned self] in assumeIsolated { $0.becomeIdle() } }
    limit.start(afterMilliseconds: milliseconds)
    await withCheckedContinuation { onIdle = $0 }
    limit.stop()
  }

  private func becomeIdle() {
    onIdle?.resume()
    onIdle = nil
  }

  private func tick() {
    isSweepDue = true
    poke()
  }

  /// Looks at the outbox now: a letter has been written on this node.
  public func poke() {
    guard !isStopped else { return }
    guard !isRunning else {
      isPoked = true
      return
    }
    isRunning = true
    // What was posted is no cost of the request that posted it.
    RequestCost.$current.withValue(nil) {
      Task {
        await round()
        isRunning = false
        becomeIdle()
      }
    }
  }

  // MARK: Sending

  /// Sends what is due, until nothing is.
  private func round() async {
    repeat {
      isPoked = false
      if isSweepDue { await giveUp() }
      while !isStopped, case let letters = await lease(), !letters.isEmpty {
        await withTaskGroup(of: Void.self) { group in
          for letter in letters { group.addTask { await self.deliver(letter) } }
        }
      }
    } while isPoked && !isStopped
  }

  private func lease() async -> [LeasedLetter] {
    if case .none = route { return [] }
    let statement = LeaseLetters(count: pace.lettersAtOnce, leaseSeconds: pace.leaseSeconds)
    return (try? await database.run(statement)) ?? []
  }

  /// What is older than a day leaves the outbox, also on a node that sends nothing.
  private func giveUp() async {
    isSweepDue = false
    for letter in (try? await database.run(GiveUpLetters())) ?? [] {
      meter.givenUp.add()
      note(letter.id, kind: letter.kind, attempts: letter.attempts, reason: letter.reason ?? "it was never tried")
    }
  }

  private func deliver(_ leased: LeasedLetter) async {
    let outcome = await send(leased)
    meter.note(outcome)
    switch outcome {
    case .sent: log.info("letter_sent", ["letter": .text("\(leased.id)"), "attempts": .number(leased.attempt)])
    case .retry(let seconds, let reason):
      log.warning(
        "letter_not_sent",
        [
          "letter": .text("\(leased.id)"), "attempts": .number(leased.attempt), "reason": .text(reason),
          "againInSeconds": .number(Int(seconds)),
        ])
    case .givenUp(let reason):
      note(leased.id, kind: leased.kind?.rawValue ?? "unknown", attempts: leased.attempt, reason: reason)
    }
    // When this fails the lease ends by itself, and the letter is sent once more.
    try? await database.run(SettleLetter(id: leased.id, attempt: leased.attempt, outcome: outcome))
  }

  private func send(_ leased: LeasedLetter) async -> SettleLetter.Outcome {
    guard let kind = leased.kind else {
      return .retry(afterSeconds: pace.retrySecondsMax, reason: "this version does not know the letter")
    }
    guard let recipient = MailAddress(leased.recipient) else { return .givenUp(reason: "nothing can be mailed there") }
    let letter = Letter(kind, in: leased.language, to: leased.username, link: stationery.link(kind, leased.secret))
    switch route {
    case .none: return .retry(afterSeconds: pace.retrySecondsMax, reason: "there is no mail server")
    case .log:
      log.info("letter", ["to": .text(recipient.text), "subject": .text(letter.subject), "text": .text(letter.text)])
      return .sent
    case .smtp(let smtp, let crew):
      let message = MIMEMessage(
        letter, id: "\(leased.id)", from: stationery.sender, to: recipient,
        secondsSinceEpoch: Int(leased.createdAtMicroseconds / 1_000_000))
      let outcome = (try? await crew.run { smtp.send(message) }) ?? .temporary("too many letters at once")
      switch outcome {
      case .sent: return .sent
      case .temporary(let reason): return .retry(afterSeconds: delaySeconds(after: leased.attempt), reason: reason)
      case .permanent(let reason): return .givenUp(reason: reason)
      }
    }
  }

  /// Doubled with each attempt, and spread, so that letters that failed together are not tried together.
  private func delaySeconds(after attempt: Int) -> Double {
    let seconds = pace.retrySeconds * Double(1 << min(max(attempt - 1, 0), 20))
    return min(seconds, pace.retrySecondsMax) * Double.random(in: 0.75...1.25)
  }

  private func note(_ id: LetterID, kind: String, attempts: Int, reason: String) {
    log.error(
      "letter_given_up",
      [
        "letter": .text("\(id)"), "kind": .text(kind), "attempts": .number(attempts), "reason": .text(reason),
      ])
  }
}

extension Courier.Stationery {
  /// The page that a letter leads to. The token stands in the fragment, which browsers send to no server and which no
  /// log holds.
  func link(_ kind: LetterKind, _ secret: String?) -> String {
    switch kind {
    case .passwordReset: "\(publicOrigin)/reset#token=\(secret ?? "")"
    case .emailVerification, .emailChange: "\(publicOrigin)/verify#token=\(secret ?? "")"
    case .passwordChanged, .emailChangeNotice, .usernameReminder: "\(publicOrigin)/reset"
    }
  }
}
