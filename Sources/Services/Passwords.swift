public import Secrets
import Store
public import Values

/// Passwords that were forgotten: a link to the account's address is as good as the old one, once.
public struct Passwords: Sendable {
  private let database: Database
  private let hasher: PasswordHasher
  private let ids: IDSource
  private let policy: Password.Policy
  private let limits: Limits
  private let courier: Courier
  private let evenTime: EvenTime

  public init(
    database: Database, hasher: PasswordHasher, ids: IDSource, policy: Password.Policy, limits: Limits,
    courier: Courier, evenTime: EvenTime
  ) {
    self.database = database
    self.hasher = hasher
    self.ids = ids
    self.policy = policy
    self.limits = limits
    self.courier = courier
    self.evenTime = evenTime
  }

  /// Mails a link to choose a new password, if an account has this address; says the same, in the same time, if none has.
  ///
  /// Failures: `invalidFields`, `tooManyRequests`.
  public func requestReset(email: String?, from client: Client) async throws(Failure) {
    var form = Form()
    let readEmail = form.required("email", email) { (text) throws(Fault) in try EmailAddress(text) }
    let (address) = try form.complete(readEmail)
    try await evenTime.spend { () async throws(Failure) in
      let requested = try await database.run(
        RequestPasswordReset(
          email: address, emailDigest: SHA256Digest.of(address.folded).hex, address: client.address,
          allowances: limits.letters, link: MailedLink(letter: ids.next()), stamp: client.stamp(ids)))
      try requested.value()
      await courier.poke()
    }
  }

  /// Sets a new password by a mailed link, and ends every session.
  ///
  /// Failures: `invalidFields`, `linkExpired`, `overloaded`.
  public func reset(token: String?, newPassword: String?, from client: Client) async throws(Failure) {
    var form = Form()
    let presented = form.required("token", token) { (text) throws(Fault) in text }
    let chosen = form.required("newPassword", newPassword) { (text) throws(Fault) in text }
    let (tokenText, text) = try form.complete(presented, chosen)
    guard let link = LinkToken(presented: tokenText),
      let names = try await database.run(ReadPasswordReset(token: link.digest))
    else { throw .linkExpired }

    let readPassword = form.required("newPassword", text) { (text) throws(Fault) in
      try Password(
        text, policy: policy, username: try? Username(existing: names.username), email: try? EmailAddress(names.email))
    }
    let (password) = try form.complete(readPassword)
    let hash = try await hasher.hashed(password)
    let isReset = try await database.run(
      ResetPassword(
        token: link.digest, passwordHash: hash, address: client.address, letter: ids.next(), stamp: client.stamp(ids)))
    guard isReset else { throw .linkExpired }
    await courier.poke()
  }
}
