import EventLoop
import Log
import Postgres
import Secrets
import Synchronization
import Values

/// `roost seed`: fills a database with made-up accounts, tweets, follows and likes, to measure or to try things on.
struct Seed {
  let config: Config
  let arguments: Invocation.Arguments
  let log: Log
  let console: Console

  /// More accounts than this are not counted before asking.
  private static let countedMax = 100_000

  func run() -> ExitCode {
    let population: Population
    do throws(SeedPlan.Trouble) {
      population = try Population(SeedPlan(arguments.flags))
    } catch {
      console.complain("roost: \(error.text)\nSee: roost seed --help")
      return .usage
    }
    var password: Password?
    if arguments.has(Command.password) {
      guard let text = Keyboard.password(console) else {
        return fail("the passwords are not the same, or there is none")
      }
      do throws(Fault) {
        let policy = Password.Policy(lengthMin: config.policy.passwordLengthMin)
        password = try Password(text, policy: policy, username: nil, email: nil)
      } catch {
        return fail(error.message)
      }
    }
    do {
      let database = try Database(config.database, log: log)
      let code = run(population, password, database.target)
      try database.release()
      return code
    } catch {
      return fail("\(error)")
    }
  }

  private func run(_ population: Population, _ password: Password?, _ target: ConnectionTarget) -> ExitCode {
    var progress = Progress(console)
    do {
      if case .behind = try Database.migrator(target, log: log).state() {
        return fail("the database is behind this program; run roost migrate first")
      }
      let connection = try BlockingConnection(target)
      let count = try SeedWriter.accounts(connection, most: Self.countedMax + 1)
      guard count == 0 || confirms(count) else {
        return fail(
          "nothing was changed: the database has accounts already; give --yes to put made-up ones beside them")
      }
      var hash: PasswordHash?
      if let password {
        hash = Self.hash(password)
        if hash == nil { return fail("there is not enough memory to hash the password") }
      }
      let now = Int64(IDSource.wallClock() / 1_000_000)
      let writer = SeedWriter(rows: SeededRows(population, nowMilliseconds: now), passwordHash: hash?.text)
      if let obstacle = try writer.write(to: connection, mayMix: count > 0, &progress) {
        return fail("nothing was changed: \(Self.words(obstacle))")
      }
      return .done
    } catch PostgresError.rejected("23505", _, "account_username_key"?) {
      progress.abandon()
      return fail("nothing was changed: an account has the name of a made-up one (viewer_... or quiet_...)")
    } catch {
      progress.abandon()
      return fail("\(error)")
    }
  }

  private func confirms(_ count: Int) -> Bool {
    if arguments.has(Command.yes) { return true }
    let accounts = count > Self.countedMax ? "more than \(Progress.grouped(Self.countedMax))" : Progress.grouped(count)
    return Keyboard.agrees(
      "The database has accounts already (\(accounts)). Made-up ones can only be told apart by their names.", console)
  }

  private func fail(_ text: String) -> ExitCode {
    console.complain("roost: \(text)")
    return .failed
  }

  private static func words(_ obstacle: SeedWriter.Obstacle) -> String {
    switch obstacle {
    case .hasAccounts: "somebody has signed up meanwhile; give --yes to go on all the same"
    case .isSeeded: "the database was seeded before; seed another one"
    }
  }

  /// Nil when memory is short.
  private static func hash(_ password: Password) -> PasswordHash? {
    let loop = Loop()
    let hasher = PasswordHasher(crew: Crew(threads: 1, queueMax: 1, niceness: 0, name: "hash"))
    let hash = Mutex<PasswordHash?>(nil)
    Task(executorPreference: loop) {
      let made = try? await hasher.hash(password)
      hash.withLock { $0 = made }
      loop.stop()
    }
    loop.run()
    return hash.withLock(\.self)
  }
}
