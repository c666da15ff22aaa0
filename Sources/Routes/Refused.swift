import HTTP
import RoostAPI
import Services
import Store
import Values

/// Why a request is answered with a problem: what the router and the server refuse, or what a service failed at.
enum Refused: Error {
  case failure(Failure)
  case malformedRequest(String)
  case conflictingHeaders(String)
  case malformedBody(String)
  case malformedQuery(String)
  case unsupportedMediaType
  case encodedBody
  case bodyTooLarge(bytesMax: Int)
  case headTooLarge(bytesMax: Int)
  case tooSlow
  case crossSite
  case noSuchPath
  case methodNotAllowed(allow: String)
  case notReady

  init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .malformed(let reason): .malformedRequest("The request contradicts itself: \(reason).")
      case .bodyTooLarge(let bytesMax): .bodyTooLarge(bytesMax: bytesMax)
      case .headTooLarge(let bytesMax): .headTooLarge(bytesMax: bytesMax)
      case .tooSlow: .tooSlow
      case .overloaded: .failure(.overloaded)
      }
  }
}

extension Refused {
  /// The answer to each failure; a new failure without one does not compile.
  func problem(isTokenPresented: Bool) -> ProblemAnswer {
    switch self {
    case .failure(let failure): failure.problem(isTokenPresented: isTokenPresented)
    case .malformedRequest(let reason): ProblemAnswer(.malformedRequest, reason)
    case .conflictingHeaders(let reason): ProblemAnswer(.conflictingHeaders, reason)
    case .malformedBody(let reason):
      ProblemAnswer(.malformedBody, "The body is not the JSON that is wanted: \(reason).")
    case .malformedQuery(let reason): ProblemAnswer(.malformedQuery, reason)
    case .unsupportedMediaType: ProblemAnswer(.unsupportedMediaType, "Send the body as Content-Type: application/json.")
    case .encodedBody:
      ProblemAnswer(
        .unsupportedMediaType, "Send the body as it is, without Content-Encoding.",
        headers: [("Accept-Encoding", "identity")])
    case .bodyTooLarge(let bytesMax): ProblemAnswer(.bodyTooLarge, "The body may have \(bytesMax) bytes at most.")
    case .headTooLarge(let bytesMax):
      ProblemAnswer(.headerFieldsTooLarge, "Request line and headers may have \(bytesMax) bytes at most.")
    case .tooSlow: ProblemAnswer(.requestTimeout, "The request did not come in time; send it again.")
    case .crossSite: ProblemAnswer(.crossSite, "A page of another site may not do this with the session cookie.")
    case .noSuchPath: ProblemAnswer(.notFound, "There is nothing at this path.")
    case .methodNotAllowed(let allow):
      ProblemAnswer(.methodNotAllowed, "This path takes \(allow).", headers: [("Allow", allow)])
    case .notReady: ProblemAnswer(.notReady, "This node is starting, stopping, or without its database.")
    }
  }
}

extension Failure {
  /// The answer to each failure of a service.
  func problem(isTokenPresented: Bool) -> ProblemAnswer {
    switch self {
    case .signedOut:
      ProblemAnswer(
        .signedOut, "Log in and send the session's token.",
        headers: [("WWW-Authenticate", isTokenPresented ? #"Bearer error="invalid_token""# : "Bearer")])
    case .wrongCredentials:
      ProblemAnswer(
        .wrongCredentials, "No account has this login and this password.", headers: [("WWW-Authenticate", "Bearer")])
    case .wrongPassword: ProblemAnswer(.wrongPassword, "This is not the account's password.")
    case .linkExpired: ProblemAnswer(.linkExpired, "This link was used or is too old; ask for a new one.")
    case .taken(let taken):
      ProblemAnswer(
        .taken, "Choose another.",
        errors: [
          taken.username ? ("username", .taken, "This username is taken.") : nil,
          taken.email ? ("email", .taken, "An account with this email address exists.") : nil,
        ].compactMap(\.self))
    case .invalidFields(let faults):
      ProblemAnswer(
        .invalidFields, "Correct the named fields.",
        errors: faults.map { ($0.field, FieldErrorCode($0.fault.code), $0.fault.message) })
    case .notFound: ProblemAnswer(.notFound, "There is no such thing, or it is not yours.")
    case .tooManyRequests(let limit):
      ProblemAnswer(
        .tooManyRequests, "Too many tries; wait \(limit.retryAfterSeconds) s.",
        headers: [("Retry-After", String(limit.retryAfterSeconds))])
    case .idempotencyKeyReused:
      ProblemAnswer(.idempotencyKeyReused, "This Idempotency-Key was sent with another body; use a new one.")
    case .cannotFollowSelf: ProblemAnswer(.cannotFollowSelf, "Nobody follows oneself; choose another account.")
    case .unsupportedPicture:
      ProblemAnswer(
        .unsupportedMediaType, "Send a JPEG, PNG, WebP, GIF or HEIC picture, with the Content-Type that it has.")
    case .notAnImage:
      ProblemAnswer(.notAnImage, "The picture is damaged or has too many pixels; send another one.")
    case .overloaded:
      ProblemAnswer(.overloaded, "The server is busy; try again soon.", headers: [("Retry-After", "1")])
    case .databaseUnavailable:
      ProblemAnswer(
        .databaseUnavailable, "The database does not answer; try again soon.", headers: [("Retry-After", "1")])
    case .internalError:
      ProblemAnswer(.internalError, "The server made a mistake; its log says more under this requestId.")
    }
  }
}

extension FieldErrorCode {
  init(_ code: Fault.Code) {
    self =
      switch code {
      case .missing: .missing
      case .malformed: .malformed
      case .tooShort: .tooShort
      case .tooLong: .tooLong
      case .reserved: .reserved
      case .common: .common
      case .forbiddenCharacter: .forbiddenCharacter
      case .sameAsLogin: .sameAsLogin
      }
  }
}
