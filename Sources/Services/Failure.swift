import Postgres
public import Store
public import Values

/// Why a service did not do what it was asked for. Each has one answer in HTTP; see `Routes`.
public enum Failure: Error, Sendable {
  /// No session is good with the presented token, or none was presented.
  case signedOut
  /// No account has this login and this password together.
  case wrongCredentials
  /// The session is good, and the password that came along is not the account's.
  case wrongPassword
  /// A mailed link was used, is too old, was replaced by a newer one, or never was one.
  case linkExpired
  /// Another account has the username, the email address, or both.
  case taken(Taken)
  /// Fields that are missing or break a rule, in the order of the form.
  case invalidFields([FieldFault])
  /// There is no such thing, or it is another's.
  case notFound
  /// A limit is spent for now.
  case tooManyRequests(SpentLimit)
  /// The idempotency key was used for something else.
  case idempotencyKeyReused
  /// Somebody wants to follow the own account.
  case cannotFollowSelf
  /// An upload is of no format that is taken, or of another one than it says.
  case unsupportedPicture
  /// An upload is no picture, a damaged one, or too large a one.
  case notAnImage
  /// More work waits than this node takes on.
  case overloaded
  /// The database does not answer. Whether a change was made is unknown.
  case databaseUnavailable
  /// A mistake of ours. The text is for the log and never holds what people typed.
  case internalError(String)
}

/// What is wrong with one field of a form.
public struct FieldFault: Sendable, Equatable {
  public let field: String
  public let fault: Fault

  public init(field: String, fault: Fault) {
    self.field = field
    self.fault = fault
  }
}

extension Failure {
  init(_ error: PostgresError) {
    switch error {
    case .unavailable: self = .databaseUnavailable
    case .overloaded: self = .overloaded
    case .rejected(let sqlState, _, _) where Self.unavailableClasses.contains(String(sqlState.prefix(2))):
      self = .databaseUnavailable
    // Somebody else took the name between the statement's look at it and its change.
    case .rejected("23505", _, "account_username_key"): self = .taken(Taken(username: true))
    case .rejected("23505", _, "account_email_key"): self = .taken(Taken(email: true))
    case .rejected: self = .internalError(error.description)
    }
  }

  /// Connection exceptions, insufficient resources, operator intervention (a time-out or a shutdown) and system errors:
  /// the server is there but cannot work now (PostgreSQL, Appendix A).
  private static let unavailableClasses: Set<String> = ["08", "53", "57", "58"]
}
