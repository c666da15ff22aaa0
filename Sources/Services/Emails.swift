import Secrets
public import Store
public import Values

/// The address of an account: that it is verified, how it changes, and the username for those who know it alone.
public struct Emails: Sendable {
  private let database: Database
  private let check: PasswordCheck
  private let ids: IDSource
  private let limits: Limits
  private let courier: Courier
  private let evenTime: EvenTime

  public init(
    database: Database, check: PasswordCheck, ids: IDSource, limits: Limits, courier: Courier, evenTime: EvenTime
  ) {
    self.database = database
    self.check = check
    self.ids = ids
    self.limits = limits
    self.courier = courier
    self.evenTime = evenTime
  }

  /// Mails the viewer a link that verifies the address; nothing when it is verified already.
  ///
  /// Failures: `signedOut`, `tooManyRequests`.
  public func requestVerification(_ client: Client) async throws(Failure) {
    let requested = try await database.run(
      for: RequestEmailVerification(
        token: try client.presentedToken(), address: client.address, allowances: limits.letters,
        link: MailedLink(letter: ids.next())))
    try requested.value()
    await courier.poke()
  }

  /// Redeems a mailed link: the address is verified, and becomes the account's if a change was asked for.
  ///
  /// Failures: `invalidFields`, `linkExpired`, `taken`.
  public func confirm(token: String?, from client: Client) async throws(Failure) -> AccountRow {
    var form = Form()
    let presented = form.required("token", token) { (text) throws(Fault) in text }
    let (text) = try form.complete(presented)
    guard let link = LinkToken(presented: text) else { throw .linkExpired }
    switch try await database.run(ConfirmEmail(token: link.digest, stamp: client.stamp(ids))) {
    case .confirmed(let account): return account
    case .taken: throw .taken(Taken(username: false, email: true))
    case .expired: throw .linkExpired
    }
  }

  /// Mails a link to a new address, and a notice to the one the account has. The address changes with the link.
  ///
  /// Failures: `invalidFields`, `signedOut`, `wrongPassword`, `taken`, `tooManyRequests`, `overloaded`.
  public func requestChange(to email: String?, password: String?, from client: Client) async throws(Failure) {
    let token = try client.presentedToken()
    var form = Form()
    let readEmail = form.required("email", email) { (text) throws(Fault) in try EmailAddress(text) }
    let readPassword = form.required("password", password) { (text) throws(Fault) in PresentedPassword(text) }
    let (address, presented) = try form.complete(readEmail, readPassword)
    let candidate = try await check.candidate(for: presented, from: client)
    let requested = try await database.run(
      for: RequestEmailChange(
        token: token, candidate: candidate, email: address, address: client.address, allowances: limits.letters,
        link: MailedLink(letter: ids.next()), notice: ids.next(), stamp: client.stamp(ids)))
    switch try requested.value() {
    case .mailed: await courier.poke()
    case .taken: throw .taken(Taken(username: false, email: true))
    }
  }

  /// Mails the username of the account that has this address, if one has; says the same, in the same time, if none has.
  ///
  /// Failures: `invalidFields`, `tooManyRequests`.
  public func remindUsername(email: String?, from client: Client) async throws(Failure) {
    var form = Form()
    let readEmail = form.required("email", email) { (text) throws(Fault) in try EmailAddress(text) }
    let (address) = try form.complete(readEmail)
    try await evenTime.spend { () async throws(Failure) in
      let requested = try await database.run(
        RemindUsername(
          email: address, emailDigest: SHA256Digest.of(address.folded).hex, address: client.address,
          allowances: limits.letters, letter: ids.next(), stamp: client.stamp(ids)))
      try requested.value()
      await courier.poke()
    }
  }
}
