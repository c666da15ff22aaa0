import EventLoop
import HTTP
import Log
import Postgres
import Routes
import Secrets
import Services
import Store
import Values

/// One loop with everything that lives on it: its connections to PostgreSQL, the services, the HTTP server.
struct Worker: Sendable {
  let loop = Loop()
  let pool: Pool
  let server: Server
  let readiness: Readiness
  let courier: Courier
  let sweeper: Sweeper
  let live: LiveFeed
  let meter: RequestMeter
  let lag: LoopLag
  let observation: Observation
  let statements: StatementMeter

  /// What all workers of a process share.
  struct Shared: Sendable {
    let connector: Connector
    let hashing: Crew
    let hasher: PasswordHasher
    let pictures: Crew
    let mailing: Mailing
    let ids: IDSource
    let proxies: TrustedProxies
    let schemaVersion: Int
    let log: Log
  }

  init(_ config: Config, socket: ListenSocket, shared: Shared) {
    let lifetime = SessionLifetime(config.policy)
    let limits = Services.Limits(config.limits)
    pool = Pool(on: loop, connector: shared.connector, limits: Pool.Limits(config.database), log: shared.log)
    let database = Services.Database(pool, lifetime: lifetime)
    readiness = Readiness(database: database, schemaVersion: shared.schemaVersion)
    courier = Courier(
      on: loop, database: database, route: shared.mailing.route, stationery: shared.mailing.stationery,
      pace: shared.mailing.pace, log: shared.log)
    sweeper = Sweeper(on: loop, database: database, pace: Sweeper.Pace(config), log: shared.log)
    live = LiveFeed(on: loop, database: database, ids: shared.ids, pace: LiveFeed.Pace(config.http))
    let policy = Password.Policy(lengthMin: config.policy.passwordLengthMin)
    let check = PasswordCheck(database: database, hasher: shared.hasher, ids: shared.ids, limits: limits)
    let evenTime = EvenTime(on: loop)
    let app = App(
      accounts: Accounts(
        database: database, hasher: shared.hasher, ids: shared.ids, lifetime: lifetime,
        policy: policy, limits: limits, courier: courier),
      exports: Exports(database: database, limits: limits),
      profiles: Profiles(database: database, ids: shared.ids),
      ownership: Ownership(
        database: database, hasher: shared.hasher, check: check, ids: shared.ids, policy: policy, courier: courier),
      avatars: Avatars(database: database, crew: shared.pictures, ids: shared.ids, limits: limits),
      sessions: Sessions(database: database, ids: shared.ids),
      passwords: Passwords(
        database: database, hasher: shared.hasher, ids: shared.ids, policy: policy, limits: limits, courier: courier,
        evenTime: evenTime),
      emails: Emails(
        database: database, check: check, ids: shared.ids, limits: limits, courier: courier, evenTime: evenTime),
      tweets: Tweets(database: database, ids: shared.ids, limits: limits),
      likes: Likes(database: database, limits: limits),
      follows: Follows(database: database, ids: shared.ids, limits: limits),
      feed: Feed(database: database),
      live: live,
      readiness: readiness,
      proxies: shared.proxies,
      publicURL: PublicURL(config.http.publicOrigin),
      corsOrigins: config.http.corsOrigins,
      tellsTimes: config.http.tellsTimes)
    let router = Router(app, log: shared.log)
    meter = router.meter
    lag = LoopLag(on: loop)
    observation = Observation(database: database)
    statements = database.meter
    server = Server(
      on: loop, socket: socket, limits: ServerLimits(config.http), responder: router, log: shared.log)
  }

  /// Begins to serve; its loop must run.
  func start(_ log: Log) async throws(Server.Failure) {
    await pool.open()
    try await server.start()
    await courier.start()
    await server.whenTurnsEnd { log.flush() }
    await lag.start()
  }

  /// Lets the requests under way finish, and ends the loop. False when some were cut off.
  func stop(withinMilliseconds milliseconds: UInt64) async -> Bool {
    await sweeper.stop()
    await live.stop()
    await lag.stop()
    async let letters: Void = courier.stop(withinMilliseconds: milliseconds)
    let isClean = await server.drain(withinMilliseconds: milliseconds)
    await letters
    await pool.close()
    loop.stop()
    return isClean
  }
}

extension Sweeper.Pace {
  init(_ config: Config) {
    self.init()
    everySeconds = config.http.sweepSeconds
    auditRetentionDays = config.policy.auditRetentionDays
  }
}

extension LiveFeed.Pace {
  /// A quarter of the connections stays for requests.
  init(_ config: Config.HTTP) {
    self.init()
    streamsMax = max(1, config.connectionsMax / config.workers * 3 / 4)
  }
}

extension SessionLifetime {
  init(_ policy: Config.Policy) {
    self.init(idleSeconds: policy.sessionIdleDays * 86_400, maxSeconds: policy.sessionMaxDays * 86_400)
  }
}

extension Services.Limits {
  init(_ config: Config.Limits) {
    self.init()
    loginPerAddress = Allowance(config.loginAddress)
    loginPerAccountAndAddress = Allowance(config.loginAccountAddress)
    loginInARowPerAccount = config.loginAccountFailures
    registerPerAddress = Allowance(config.registerAddress)
    usernamesPerAddress = Allowance(config.usernamesAddress)
    lettersPerAddress = Allowance(config.mailAddress)
    lettersPerAccount = Allowance(config.mailAccount)
    tweetsPerAccount = Allowance(config.tweetsAccount)
    likesPerAccount = Allowance(config.likesAccount)
    followsPerAccount = Allowance(config.followsAccount)
    avatarsPerAccount = Allowance(config.avatarAccount)
    exportsPerAccount = Allowance(config.exportAccount)
  }
}

extension Allowance {
  init(_ limit: Limit) { self.init(max: limit.count, seconds: limit.windowSeconds) }
}

extension Pool.Limits {
  init(_ config: Config.Database) {
    self.init()
    readConnections = config.readConnections
    writeConnections = config.writeConnections
    answerMilliseconds = config.answerMilliseconds
  }
}

extension ServerLimits {
  init(_ config: Config.HTTP) {
    self.init()
    connectionsMax = max(1, config.connectionsMax / config.workers)
    headMilliseconds = UInt64(config.headerTimeoutSeconds) * 1_000
    bodyMilliseconds = UInt64(config.bodyTimeoutSeconds) * 1_000
    idleMilliseconds = UInt64(config.idleTimeoutSeconds) * 1_000
  }
}
