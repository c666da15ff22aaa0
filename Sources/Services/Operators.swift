public import Secrets
public import Store
public import Values

/// What those who run the service may do to accounts. Whoever reaches the database may: nothing is asked for.
public struct Operators: Sendable {
  private let database: Database
  private let hasher: PasswordHasher
  private let ids: IDSource
  private let policy: Password.Policy

  public init(database: Database, hasher: PasswordHasher, ids: IDSource, policy: Password.Policy) {
    self.database = database
    self.hasher = hasher
    self.ids = ids
    self.policy = policy
  }

  /// So many accounts, newest first, older than one that is known.
  public func list(before: AccountID?, limit: Int) async throws(Failure) -> [OperatedAccount] {
    try await database.run(ListAccounts(before: before, limit: limit))
  }

  /// Failures: `notFound`.
  public func show(_ named: NamedAccount) async throws(Failure) -> OperatedAccount {
    guard let account = try await database.run(ReadNamedAccount(named: named)) else { throw .notFound }
    return account
  }

  /// Ends the account's sessions, and lets nobody log in. Failures: `notFound`.
  public func disable(_ named: NamedAccount) async throws(Failure) {
    guard try await database.run(DisableAccount(named: named, stamp: stamp)) else { throw .notFound }
  }

  /// Failures: `notFound`.
  public func enable(_ named: NamedAccount) async throws(Failure) {
    guard try await database.run(EnableAccount(named: named, stamp: stamp)) else { throw .notFound }
  }

  /// Ends all sessions of the account; answers how many. Failures: `notFound`.
  public func endSessions(_ named: NamedAccount) async throws(Failure) -> Int {
    guard let count = try await database.run(EndNamedSessions(named: named, stamp: stamp)) else { throw .notFound }
    return count
  }

  /// Deletes the account with all that is its own. Failures: `notFound`.
  public func delete(_ named: NamedAccount) async throws(Failure) {
    guard try await database.run(DeleteNamedAccount(named: named, stamp: stamp)) else { throw .notFound }
  }

  /// Gives the account another password, by the same rules as its owner, and ends its sessions.
  ///
  /// Failures: `notFound`, `invalidFields`, `overloaded`.
  public func setPassword(_ named: NamedAccount, to text: String) async throws(Failure) {
    let account = try await show(named).account
    var form = Form()
    let chosen = form.required("password", text) { (text) throws(Fault) in
      try Password(
        text, policy: policy, username: try? Username(existing: account.username),
        email: try? EmailAddress(account.email))
    }
    let (password) = try form.complete(chosen)
    let statement = SetPassword(
      named: named, passwordHash: try await hasher.hashed(password), letter: ids.next(), stamp: stamp)
    guard try await database.run(statement) else { throw .notFound }
  }

  private var stamp: AuditStamp { AuditStamp(id: ids.next(), address: nil) }
}
