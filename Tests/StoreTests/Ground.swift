import Postgres
import Secrets
import Store
import TestSupport
import Values

/// One test's database and the pool that its statements run through, with short ways to what most tests need.
struct Ground: Sendable {
  let database: TestDatabase
  let pool: Pool
  let ids = IDSource()

  static let lifetime = SessionLifetime(idleSeconds: 30 * 86_400, maxSeconds: 365 * 86_400)
  static let home = ClientAddress("192.0.2.1")!
  static let away = ClientAddress("198.51.100.7")!
  /// In form, and found by no password: the tests here compare none.
  static let hash = PasswordHash(stored: "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA")
  static let unlimited = Allowance(max: 0, seconds: 60)

  /// `writers` is how many transactions may run at once: more show what two that overlap do to each other.
  static func with<Answer>(writers: Int = 2, _ body: (Ground) async throws -> Answer) async throws -> Answer {
    let database = try TestDatabase.fresh()
    var limits = Pool.Limits.patient
    limits.writeConnections = writers
    return try await TestPool.open(database.target, limits: limits) { lent in
      try await body(Ground(database: database, pool: lent.pool))
    }
  }

  func run<S: Statement>(_ statement: S) async throws -> S.Answer {
    try await pool.run(statement)
  }

  /// What a statement for a viewer found; an expectation fails when nobody is signed in.
  func found<S: ViewerStatement>(_ statement: S) async throws -> S.Found {
    guard let viewed = try await pool.run(statement) else { throw NobodySignedIn() }
    return viewed.found
  }

  struct NobodySignedIn: Error {}

  /// The first column of the first row, as text.
  func value(_ sql: String, _ parameters: [String?] = []) throws -> String? {
    try database.value(sql, parameters)
  }

  func rows(_ sql: String, _ parameters: [String?] = []) throws -> [[String?]] {
    try database.rows(sql, parameters)
  }

  /// Changes rows behind the statements' back.
  func change(_ sql: String, _ parameters: [String?] = []) throws {
    _ = try database.rows(sql, parameters)
  }

  /// How many rows each table has, in alphabetical order: account, credential, session, throttle, tweet, tweet_like.
  func counts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in ["account", "credential", "session", "throttle", "tweet", "tweet_like"] {
      counts[table] = try value("select count(*) from \(table)").flatMap { Int($0) }
    }
    return counts
  }

  /// What stands in the counters: `rule subject` and how often it was used.
  func used() throws -> [String: Int] {
    let rows = try database.rows("select rule, subject, used from throttle")
    return Dictionary(uniqueKeysWithValues: rows.map { ("\($0[0]!) \($0[1]!)", Int($0[2]!)!) })
  }

  /// The window that a counter is in.
  func window(of rule: String, for subject: String) throws -> CountWindow {
    let sql = "select (extract(epoch from resets_at) * 1000000)::bigint from throttle where rule = $1 and subject = $2"
    return CountWindow(endMicroseconds: try value(sql, [rule, subject]).flatMap { Int64($0) })
  }
}

extension Ground {
  /// Somebody who has signed up.
  struct Person: Sendable {
    let id: AccountID
    let username: String
    let session: SessionID
    let token: TokenDigest
  }

  func session(
    _ token: TokenDigest = SessionToken().digest, from address: ClientAddress = home, device: String? = "curl/8",
    lifetime: SessionLifetime = lifetime, replacing replaced: TokenDigest? = nil
  ) -> NewSession {
    NewSession(
      id: ids.next(), token: token, address: address, device: device.flatMap { DeviceName($0) }, lifetime: lifetime,
      replaced: replaced)
  }

  func signUp(_ username: String, email: String? = nil, _ session: NewSession) throws -> SignUp {
    SignUp(
      id: ids.next(), username: try Username(username), email: try EmailAddress(email ?? "\(username)@example.com"),
      fullName: nil, passwordHash: Self.hash, session: session, language: .english,
      link: MailedLink(letter: ids.next()), event: ids.next())
  }

  func newcomer(
    _ username: String, from address: ClientAddress = home, lifetime: SessionLifetime = lifetime
  ) async throws -> Person {
    let session = session(from: address, lifetime: lifetime)
    guard case .signedUp(let account, _) = try await run(signUp(username, session)) else { throw NameTaken() }
    return Person(id: account.id, username: account.username, session: session.id, token: session.token)
  }

  struct NameTaken: Error {}

  /// Another session of somebody who has signed up.
  func anotherSession(
    of person: Person, from address: ClientAddress = home, device: String? = nil
  ) async throws -> Person {
    let session = session(from: address, device: device)
    let candidate = try await candidate(person.username)
    _ = try await run(OpenSession(candidate: candidate, session: session, newHash: nil, event: ids.next()))
    return Person(id: person.id, username: person.username, session: session.id, token: session.token)
  }

  /// What a log-in finds to compare with, counted nowhere.
  func candidate(_ login: String) async throws -> LoginCandidate {
    guard case .allowed(let candidate?) = try await run(attempt(login, allowances: .none)) else {
      throw NobodySignedIn()
    }
    return candidate
  }

  func attempt(_ login: String, from address: ClientAddress = home, allowances: LoginAllowances) -> AttemptLogin {
    let name = LoginName(login)
    return AttemptLogin(
      login: name, loginDigest: SHA256Digest.of(name.throttleKey).hex, address: address, allowances: allowances)
  }

  func tweet(
    _ text: String = "hello", key: String? = nil, by person: Person, allowance: Allowance = unlimited
  ) throws -> WriteTweet {
    WriteTweet(
      token: person.token, id: ids.next(), text: try TweetText(text),
      key: try key.map { (text) in try IdempotencyKey(text) },
      allowance: allowance)
  }

  /// Posts a tweet and answers its id.
  @discardableResult
  func post(_ text: String = "hello", by person: Person) async throws -> TweetID {
    guard case .posted(let tweet) = try await found(tweet(text, by: person)) else { throw NotPosted() }
    return tweet.id
  }

  struct NotPosted: Error {}
}

extension LoginAllowances {
  /// No limit at all.
  static let none = of()

  /// Those of the service, fifteen minutes each; 0 leaves one out.
  static func of(address: Int = 0, pair: Int = 0, inARow: Int = 0) -> LoginAllowances {
    LoginAllowances(
      perAddress: Allowance(max: address, seconds: 900), perAccountAndAddress: Allowance(max: pair, seconds: 900),
      inARowPerAccount: inARow)
  }
}

extension Counted {
  var isAllowed: Bool { if case .allowed = self { true } else { false } }

  /// Nil when it is allowed.
  var retryAfterSeconds: Int? { if case .spent(let limit) = self { limit.retryAfterSeconds } else { nil } }
}

extension String {
  /// As PostgreSQL writes an id in text.
  init<Tag>(_ id: ID<Tag>) { self = id.description }
}

/// Runs `count` calls at once and answers what each gave, in no order.
func parallel<Answer: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Answer
) async throws -> [Answer] {
  try await withThrowingTaskGroup(of: Answer.self) { group in
    for index in 0..<count { group.addTask { try await body(index) } }
    var answers: [Answer] = []
    for try await answer in group { answers.append(answer) }
    return answers
  }
}
