public import Secrets
public import Store
public import Values

/// Signing up, logging in, signing out, and one's own account.
public struct Accounts: Sendable {
  private let database: Database
  private let hasher: PasswordHasher
  private let ids: IDSource
  private let lifetime: SessionLifetime
  private let policy: Password.Policy
  private let limits: Limits
  private let courier: Courier

  public init(
    database: Database, hasher: PasswordHasher, ids: IDSource, lifetime: SessionLifetime, policy: Password.Policy,
    limits: Limits, courier: Courier
  ) {
    self.database = database
    self.hasher = hasher
    self.ids = ids
    self.lifetime = lifetime
    self.policy = policy
    self.limits = limits
    self.courier = courier
  }

  /// An account and the session that has just been opened for it. Nothing else ever holds the token in clear.
  public struct SignedIn: Sendable {
    public let account: AccountRow
    public let session: SessionRow
    public let token: SessionToken
  }

  /// Makes an account and signs it in.
  ///
  /// Failures: `invalidFields`, `tooManyRequests`, `taken`, `overloaded`.
  public func register(
    email: String?, username: String?, password: String?, fullName: String?, from client: Client
  ) async throws(Failure) -> SignedIn {
    var form = Form()
    let readUsername = form.required("username", username) { (text) throws(Fault) in try Username(text) }
    let readEmail = form.required("email", email) { (text) throws(Fault) in try EmailAddress(text) }
    let readPassword = form.required("password", password) { (text) throws(Fault) in
      try Password(text, policy: policy, username: readUsername, email: readEmail)
    }
    let shownName = form.optional("fullName", fullName) { (text) throws(Fault) in try FullName(text) }
    let (name, address, secret) = try form.complete(readUsername, readEmail, readPassword)

    let place = try hasher.place()
    let begun = try await database.run(
      BeginSignUp(username: name, email: address, address: client.address, allowance: limits.registerPerAddress))
    let taken = try begun.value()
    if taken.isAny { throw .taken(taken) }

    let hash = try await hasher.hashed(secret, in: place)
    let token = SessionToken()
    let signUp = SignUp(
      id: ids.next(), username: name, email: address, fullName: shownName, passwordHash: hash,
      session: newSession(token, for: client), language: client.language, link: MailedLink(letter: ids.next()),
      event: ids.next())
    let signedIn = try await settle(signUp, token)
    await courier.poke()
    return signedIn
  }

  /// Runs a sign-up until it is clear what became of it: a name that is being taken at this moment shows as taken the
  /// next time, or is free again if that other sign-up was given up.
  private func settle(_ signUp: SignUp, _ token: SessionToken) async throws(Failure) -> SignedIn {
    for _ in 0..<Self.attemptsMax {
      switch try await database.run(signUp) {
      case .signedUp(let account, let session): return SignedIn(account: account, session: session, token: token)
      case .taken(let taken) where taken.isAny: throw .taken(taken)
      case .taken: continue
      }
    }
    throw .overloaded
  }

  private static let attemptsMax = 5

  /// Opens a session for an account, found by its email address or its username.
  ///
  /// Takes as long, and says the same, for a login that is nobody's: then the password is compared with a decoy.
  /// Failures: `invalidFields`, `tooManyRequests`, `wrongCredentials`, `overloaded`.
  public func logIn(login: String?, password: String?, from client: Client) async throws(Failure) -> SignedIn {
    var form = Form()
    let readLogin = form.required("login", login) { (text) throws(Fault) in LoginName(text) }
    let readPassword = form.required("password", password) { (text) throws(Fault) in PresentedPassword(text) }
    let (name, presented) = try form.complete(readLogin, readPassword)

    let place = try hasher.place()
    let attempt = try await database.run(
      AttemptLogin(
        login: name, loginDigest: SHA256Digest.of(name.throttleKey).hex, address: client.address,
        allowances: limits.login))
    let candidate = try attempt.value()
    // A password that is too long to be one is not hashed: its length is the client's own, and tells nothing.
    guard let presented, try await hasher.verified(presented, candidate?.passwordHash, in: place), let candidate else {
      try await database.run(NoteFailedLogin(account: candidate?.id, stamp: client.stamp(ids)))
      throw .wrongCredentials
    }
    // The old hash serves as well: when there is no time for a new one, the next log-in makes it.
    let newHash = hasher.needsRehash(candidate.passwordHash) ? try? await hasher.hash(presented) : nil
    let token = SessionToken()
    let opened = try await database.run(
      OpenSession(
        candidate: candidate, session: newSession(token, for: client), newHash: newHash, event: ids.next()))
    guard let opened else { throw .wrongCredentials }
    return SignedIn(account: opened.account, session: opened.session, token: token)
  }

  /// Ends the presented session, if there is one.
  public func signOut(_ client: Client) async throws(Failure) {
    guard let token = client.token else { return }
    _ = try await database.run(EndSession(token: token, stamp: client.stamp(ids)))
  }

  /// The signed-in account.
  public func me(_ client: Client) async throws(Failure) -> AccountRow {
    try await database.run(for: ReadAccount(token: try client.presentedToken()))
  }

  /// Whether a name can be registered, and if not, why.
  public enum Availability: Sendable, Equatable {
    case available
    case taken
    case reserved
    case malformed
  }

  /// What ``register(email:username:password:fullName:from:)`` would say of a username now, and its folded form.
  ///
  /// Failures: `tooManyRequests`.
  public func availability(
    of text: String, from client: Client
  ) async throws(Failure) -> (username: String, availability: Availability) {
    let name: Username
    do throws(Fault) {
      name = try Username(text)
    } catch {
      return (text, error.code == .reserved ? .reserved : .malformed)
    }
    let checked = try await database.run(
      CheckUsername(username: name, address: client.address, allowance: limits.usernamesPerAddress))
    return (name.text, try checked.value() ? .taken : .available)
  }

  // MARK: Parts

  private func newSession(_ token: SessionToken, for client: Client) -> NewSession {
    NewSession(
      id: ids.next(), token: token.digest, address: client.address, device: client.device, lifetime: lifetime,
      replaced: client.token)
  }
}

extension Counted {
  /// What was allowed, or ``Failure/tooManyRequests(_:)``.
  func value() throws(Failure) -> Value {
    switch self {
    case .allowed(let value): return value
    case .spent(let limit): throw .tooManyRequests(limit)
    }
  }
}
