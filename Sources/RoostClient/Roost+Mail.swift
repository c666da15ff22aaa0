public import RoostAPI

extension Roost {
  /// Replaces the password. All other sessions end, this one stays. Failures: code `wrongPassword`, `invalidFields`.
  public func changePassword(from current: String, to new: String) async throws(RoostError) {
    try await perform(Call(.changePassword, json: PasswordChange(currentPassword: current, newPassword: new)))
  }

  /// Mails a link to choose a new password. It succeeds for an address that is nobody's as well.
  public func requestPasswordReset(email: String) async throws(RoostError) {
    try await send(Call(.requestPasswordReset, json: LetterRequest(email: email)))
  }

  /// Sets a new password by the token of a mailed link (what follows `#token=` in it). Every session of the account
  /// ends, also one of this device. Failures: code `linkExpired`, `invalidFields`.
  public func resetPassword(token: String, newPassword: String) async throws(RoostError) {
    try await send(Call(.resetPassword, json: PasswordReset(token: token, newPassword: newPassword)))
    // If it was this device's session, that comes to light.
    if user != nil { Task { [weak self] in _ = try? await self?.me() } }
  }

  /// Mails a link to a new address for the account, and a notice to the old one. The address changes when the link is
  /// confirmed. Failures: code `wrongPassword`, `invalidFields`.
  public func changeEmail(to email: String, password: String) async throws(RoostError) {
    try await perform(Call(.changeEmail, json: EmailChange(email: email, password: password)))
  }

  /// Mails a link that verifies the account's address.
  public func requestEmailVerification() async throws(RoostError) {
    try await perform(Call(.requestEmailVerification))
  }

  /// Redeems the token of a link that was mailed to an address, also to a new one, and answers whose it was. Failures:
  /// code `linkExpired`, `taken`.
  @discardableResult
  public func confirmEmail(token: String) async throws(RoostError) -> Account {
    let present = try? presence.token()
    let account: Account = try await decoded(Call(.confirmEmail, json: EmailConfirmation(token: token)))
    // A link may be opened on the device of somebody else.
    if let present, user?.id == account.id { presence.update(account, token: present) }
    return account
  }

  /// Mails the username of the account with this address. It succeeds for an address that is nobody's as well.
  public func remindUsername(email: String) async throws(RoostError) {
    try await send(Call(.remindUsername, json: LetterRequest(email: email)))
  }
}
