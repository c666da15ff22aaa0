public import Secrets
public import Store
public import Values

/// Makes sure that who is signed in also knows the account's password, before something that a stolen session must not
/// be enough for.
public struct PasswordCheck: Sendable {
  private let database: Database
  private let hasher: PasswordHasher
  private let ids: IDSource
  private let limits: Limits

  public init(database: Database, hasher: PasswordHasher, ids: IDSource, limits: Limits) {
    self.database = database
    self.hasher = hasher
    self.ids = ids
    self.limits = limits
  }

  /// The viewer's account, once the password has been found right. The attempt stays counted until the statement that
  /// follows gives it back.
  ///
  /// `presented` is nil for a text that is too long to be a password; it is refused without being hashed.
  /// Failures: `signedOut`, `tooManyRequests`, `wrongPassword`, `overloaded`.
  public func candidate(
    for presented: PresentedPassword?, from client: Client
  ) async throws(Failure) -> PasswordCandidate {
    let place = try hasher.place()
    let attempt = AttemptPassword(
      token: try client.presentedToken(), address: client.address, allowances: limits.login)
    let candidate = try await database.run(for: attempt).value()
    guard let presented, try await hasher.verified(presented, candidate.passwordHash, in: place) else {
      try await database.run(NoteFailedLogin(account: candidate.id, stamp: client.stamp(ids)))
      throw .wrongPassword
    }
    return candidate
  }
}
