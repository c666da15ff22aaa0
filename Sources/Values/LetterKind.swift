/// Which letter is written to the owner of an account. The raw values stand in the database and never change.
public enum LetterKind: String, Hashable, Sendable, CaseIterable {
  /// A link to choose a new password.
  case passwordReset = "password_reset"
  /// The password has been changed.
  case passwordChanged = "password_changed"
  /// A link that shows that mail to the account's address arrives.
  case emailVerification = "email_verification"
  /// A link, to a new address, that makes it the account's.
  case emailChange = "email_change"
  /// To the address the account has: somebody wants to change it.
  case emailChangeNotice = "email_change_notice"
  /// The account's username.
  case usernameReminder = "username_reminder"
}
