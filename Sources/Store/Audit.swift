public import Values

/// What can have happened to an account: the kinds of `audit_event`, whose raw values are never changed.
public enum AuditKind: String, Sendable, CaseIterable {
  case signedUp = "signed_up"
  case loggedIn = "logged_in"
  /// Somebody presented a wrong password, or named an account that there is not.
  case logInFailed = "log_in_failed"
  case signedOut = "signed_out"
  /// The owner ended another of the sessions.
  case sessionEnded = "session_ended"
  case profileChanged = "profile_changed"
  case photoChanged = "photo_changed"
  case photoRemoved = "photo_removed"
  case passwordChanged = "password_changed"
  /// Somebody asked for a link to choose a new password.
  case passwordResetRequested = "password_reset_requested"
  /// A mailed link was used to choose a new password.
  case passwordReset = "password_reset"
  case emailVerified = "email_verified"
  case emailChangeRequested = "email_change_requested"
  case emailChanged = "email_changed"
  /// Somebody had the username mailed.
  case usernameReminded = "username_reminded"
  case accountDeleted = "account_deleted"
  case accountDisabled = "account_disabled"
  case accountEnabled = "account_enabled"
}

/// What a statement needs to note in the audit what it has done.
public struct AuditStamp: Sendable {
  public let id: AuditEventID
  /// Where the request came from; nil for the command line.
  public let address: ClientAddress?

  public init(id: AuditEventID, address: ClientAddress?) {
    self.id = id
    self.address = address
  }
}

/// The shared part of statements that note what they have done: event and action are one statement, so that neither is
/// there without the other.
enum Audit {
  /// A common table expression `audited`: one event for the row of `source`, or none.
  ///
  /// `id` and `address` are the two parameters of the stamp; `account` and `detail` are SQL.
  static func record(
    _ kind: AuditKind, id: String, address: String, account: String, detail: String = "null", from source: String
  ) -> String {
    """
    audited as (
      insert into audit_event (id, account_id, kind, ip, detail)
      select \(id)::uuid, \(account), '\(kind.rawValue)', \(address)::text::inet, \(detail) from \(source)
    )
    """
  }
}
