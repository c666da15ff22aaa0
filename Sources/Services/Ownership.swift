public import Secrets
import Store
public import Values

/// What a good session is not enough for: it takes the account's password as well.
public struct Ownership: Sendable {
  private let database: Database
  private let hasher: PasswordHasher
  private let check: PasswordCheck
  private let ids: IDSource
  private let policy: Password.Policy
  private let courier: Courier

  public init(
    database: Database, hasher: PasswordHasher, check: PasswordCheck, ids: IDSource, policy: Password.Policy,
    courier: Courier
  ) {
    self.database = database
    self.hasher = hasher
    self.check = check
    self.ids = ids
    self.policy = policy
    self.courier = courier
  }

  /// Replaces the password, ends all sessions but the one that asks, and tells the owner by mail.
  ///
  /// Failures: `signedOut`, `invalidFields`, `tooManyRequests`, `wrongPassword`, `overloaded`.
  public func changePassword(current: String?, new: String?, as client: Client) async throws(Failure) {
    let token = try client.presentedToken()
    var form = Form()
    let readCurrent = form.required("currentPassword", current) { (text) throws(Fault) in PresentedPassword(text) }
    let readNew = form.required("newPassword", new) { (text) throws(Fault) in
      _ = try Password(text, policy: policy, username: nil, email: nil)
      return text
    }
    let (presented, text) = try form.complete(readCurrent, readNew)
    let place = try hasher.place()
    let candidate = try await check.candidate(for: presented, from: client)

    let chosen = form.required("newPassword", text) { (text) throws(Fault) in
      try Password(
        text, policy: policy, username: try? Username(existing: candidate.username),
        email: try? EmailAddress(candidate.email))
    }
    guard let password = chosen else {
      try await database.run(for: ForgivePassword(token: token, candidate: candidate, address: client.address))
      throw form.failure
    }
    let statement = ChangePassword(
      token: token, candidate: candidate, passwordHash: try await hasher.hashed(password, in: place),
      address: client.address, letter: ids.next(), stamp: client.stamp(ids))
    guard try await database.run(for: statement) else { throw .wrongPassword }
    await courier.poke()
  }

  /// Deletes the account with all that is its own.
  ///
  /// Failures: `signedOut`, `invalidFields`, `tooManyRequests`, `wrongPassword`, `overloaded`.
  public func deleteAccount(password: String?, as client: Client) async throws(Failure) {
    let token = try client.presentedToken()
    var form = Form()
    let readPassword = form.required("password", password) { (text) throws(Fault) in PresentedPassword(text) }
    let (presented) = try form.complete(readPassword)
    let candidate = try await check.candidate(for: presented, from: client)
    let statement = DeleteAccount(
      token: token, candidate: candidate, address: client.address, stamp: client.stamp(ids))
    guard try await database.run(for: statement) else { throw .wrongPassword }
  }
}
