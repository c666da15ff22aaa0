/// Why a call was refused: the body of every answer with a status of 400 and up (RFC 9457, `application/problem+json`).
public struct Problem: Codable, Sendable, Hashable, Error {
  /// What is wrong with one field of a request.
  public struct FieldError: Codable, Sendable, Hashable {
    /// The key in the body that was sent, or the name of the header.
    public let field: String
    /// Stable: a `FieldErrorCode`, or one of a later server.
    public let code: String
    /// For people: short, and says what to do.
    public let message: String
  }

  /// Always `about:blank`: `code` says what kind of problem it is.
  public let type: String
  /// The reason phrase of the HTTP status.
  public let title: String
  /// The HTTP status.
  public let status: Int
  /// Stable, and what a client switches on: a `ProblemCode`, or one of a later server.
  public let code: String
  /// For people: short, and says what to do.
  public let detail: String?
  /// The answer's `X-Request-ID`, by which an operator finds the request in the logs.
  public let requestId: String?
  /// Which fields are wrong, each at most once; only for `invalid_fields` and `taken`.
  public let errors: [FieldError]?

  /// The code, or nil for one that this version does not know.
  public var knownCode: ProblemCode? { ProblemCode(rawValue: code) }
}

extension Problem.FieldError {
  /// The code, or nil for one that this version does not know.
  public var knownCode: FieldErrorCode? { FieldErrorCode(rawValue: code) }
}
