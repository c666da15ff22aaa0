import CPostgres

/// Why a statement has no answer.
///
/// PostgreSQL's DETAIL, HINT and CONTEXT, the statement's text and its parameters are never part of it, since they may
/// hold what people typed. An error may therefore be logged as it is.
public enum PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No connection, or it broke, or the answer did not come in time. Whether a write took place is unknown.
  ///
  /// The text says what libpq said: it may name the host, never the password.
  case unavailable(String)

  /// Too many statements wait for a connection. This one was not sent.
  case overloaded

  /// The server refused the statement and rolled it back.
  ///
  /// `sqlState` is one of the five-character codes of PostgreSQL's Appendix A, `message` its primary message (none for
  /// the classes whose messages quote input), `constraint` the name of the violated constraint, if that was it.
  case rejected(sqlState: String, message: String, constraint: String?)

  public var description: String {
    switch self {
    case .unavailable(let reason): "PostgreSQL is not available: \(reason)"
    case .overloaded: "too many statements wait for PostgreSQL"
    case .rejected(let sqlState, let message, let constraint):
      "PostgreSQL refused a statement: \(sqlState)"
        + (message.isEmpty || Self.quotesInput(sqlState) ? "" : " \(message)")
        + (constraint.map { " (constraint \($0))" } ?? "")
    }
  }
}

extension PostgresError {
  /// What the server says in a result of status `PGRES_FATAL_ERROR`.
  ///
  /// A result without an SQLSTATE was made by libpq itself, when the connection broke.
  init(refusal result: OpaquePointer) {
    guard let sqlState = Self.field(.sqlState, of: result) else {
      self = .unavailable(Self.oneLine(PQresultErrorMessage(result)))
      return
    }
    // An administrator's command, a crash of a neighbour or a shutdown ends the connection with one of these.
    if ["57P01", "57P02", "57P03", "57P05"].contains(sqlState) || sqlState.hasPrefix("08") {
      self = .unavailable(Self.field(.messagePrimary, of: result) ?? sqlState)
      return
    }
    let message = Self.quotesInput(sqlState) ? nil : Self.field(.messagePrimary, of: result)
    let constraint = Self.field(.constraintName, of: result)
    self = .rejected(sqlState: sqlState, message: message ?? "", constraint: constraint)
  }

  /// What libpq says about a connection that could not be made or that broke.
  init(connection: OpaquePointer?) {
    self = .unavailable(Self.oneLine(connection.flatMap { PQerrorMessage($0) }))
  }

  /// Whether messages of this SQLSTATE quote values: class 22 does ("invalid input syntax for type uuid: ...").
  static func quotesInput(_ sqlState: String) -> Bool {
    sqlState.hasPrefix("22")
  }

  /// The codes of `postgres_ext.h`, whose macros Swift does not see.
  private enum Field: UInt8 {
    case sqlState = 0x43  // C
    case messagePrimary = 0x4d  // M
    case constraintName = 0x6e  // n
  }

  private static func field(_ field: Field, of result: OpaquePointer) -> String? {
    PQresultErrorField(result, Int32(field.rawValue)).map { String(cString: $0) }
  }

  /// libpq's messages are of several lines and end in a line feed.
  private static func oneLine(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "out of memory" }
    let lines = String(cString: text).split(whereSeparator: \.isNewline)
    return lines.isEmpty ? "connection lost" : lines.joined(separator: "; ")
  }
}
