import HTTP
import Log
import RoostAPI
import Services
import Store
import Testing
import Values

@testable import Routes

/// Each failure and its one answer.
@Suite struct ProblemTests {
  /// Every case once; a new one does not compile until it is named in ``name(_:)``, and fails until it is here.
  static let cases: [(Refused, Int, String, [String])] = [
    (.failure(.signedOut), 401, "signed_out", ["WWW-Authenticate: Bearer"]),
    (.failure(.wrongCredentials), 401, "wrong_credentials", ["WWW-Authenticate: Bearer"]),
    (.failure(.invalidFields([FieldFault(field: "email", fault: .missing)])), 422, "invalid_fields", []),
    (.failure(.notFound), 404, "not_found", []),
    (
      .failure(.tooManyRequests(SpentLimit(rule: "tweets_account", retryAfterSeconds: 61))), 429, "too_many_requests",
      ["Retry-After: 61"]
    ),
    (.failure(.idempotencyKeyReused), 422, "idempotency_key_reused", []),
    (.failure(.cannotFollowSelf), 422, "cannot_follow_self", []),
    (.failure(.wrongPassword), 403, "wrong_password", []),
    (.failure(.linkExpired), 410, "link_expired", []),
    (.failure(.unsupportedPicture), 415, "unsupported_media_type", []),
    (.failure(.notAnImage), 422, "not_an_image", []),
    (.failure(.overloaded), 503, "overloaded", ["Retry-After: 1"]),
    (.failure(.databaseUnavailable), 503, "database_unavailable", ["Retry-After: 1"]),
    (.failure(.internalError("what only the log may say")), 500, "internal_error", []),
    (.malformedRequest("It contradicts itself."), 400, "malformed_request", []),
    (.conflictingHeaders("Send one."), 400, "conflicting_headers", []),
    (.malformedBody("line 1"), 400, "malformed_body", []),
    (.malformedQuery("limit is too large."), 400, "malformed_query", []),
    (.unsupportedMediaType, 415, "unsupported_media_type", []),
    (.encodedBody, 415, "unsupported_media_type", ["Accept-Encoding: identity"]),
    (.bodyTooLarge(bytesMax: 65_536), 413, "body_too_large", []),
    (.headTooLarge(bytesMax: 16_384), 431, "header_fields_too_large", []),
    (.tooSlow, 408, "request_timeout", []),
    (.crossSite, 403, "cross_site", []),
    (.noSuchPath, 404, "not_found", []),
    (.methodNotAllowed(allow: "GET, HEAD"), 405, "method_not_allowed", ["Allow: GET, HEAD"]),
    (.notReady, 503, "not_ready", []),
  ]

  @Test(arguments: cases.indices)
  func `each failure has its status, its code and its headers`(index: Int) throws {
    let (refused, status, code, headers) = Self.cases[index]
    let response = refused.problem(isTokenPresented: false).response(requestID: "r-1")
    #expect(response.status == status)
    #expect(response.code == code)
    #expect(
      response.headerLines
        == (headers + ["Cache-Control: no-store", "Content-Type: application/problem+json"]).sorted())
    let problem: Problem = try response.decoded()
    #expect(problem.status == status && problem.code == code && problem.requestId == "r-1")
    #expect(problem.type == "about:blank" && problem.title == problem.knownCode?.title)
    #expect(problem.detail?.isEmpty == false && problem.detail?.hasSuffix(".") == true)
    #expect((problem.errors != nil) == (code == "invalid_fields"))
    #expect(!response.text.contains("only the log"))
  }

  @Test func `no failure is left out`() {
    // A conflict over names comes from the database alone, and is tried there.
    #expect(Set(Self.cases.map { Self.name($0.0) }) == Self.names.subtracting(["taken"]))
  }

  private static let names: Set<String> = [
    "signedOut", "wrongCredentials", "taken", "invalidFields", "notFound", "tooManyRequests", "idempotencyKeyReused",
    "cannotFollowSelf",
    "wrongPassword", "linkExpired", "unsupportedPicture", "notAnImage",
    "overloaded", "databaseUnavailable", "internalError", "malformedRequest", "conflictingHeaders", "malformedBody",
    "malformedQuery", "unsupportedMediaType", "encodedBody", "bodyTooLarge", "headTooLarge", "tooSlow", "crossSite",
    "noSuchPath", "methodNotAllowed", "notReady",
  ]

  private static func name(_ refused: Refused) -> String {
    switch refused {
    case .failure(.signedOut): "signedOut"
    case .failure(.wrongCredentials): "wrongCredentials"
    case .failure(.taken): "taken"
    case .failure(.invalidFields): "invalidFields"
    case .failure(.notFound): "notFound"
    case .failure(.tooManyRequests): "tooManyRequests"
    case .failure(.idempotencyKeyReused): "idempotencyKeyReused"
    case .failure(.cannotFollowSelf): "cannotFollowSelf"
    case .failure(.wrongPassword): "wrongPassword"
    case .failure(.linkExpired): "linkExpired"
    case .failure(.unsupportedPicture): "unsupportedPicture"
    case .failure(.notAnImage): "notAnImage"
    case .failure(.overloaded): "overloaded"
    case .failure(.databaseUnavailable): "databaseUnavailable"
    case .failure(.internalError): "internalError"
    case .malformedRequest: "malformedRequest"
    case .conflictingHeaders: "conflictingHeaders"
    case .malformedBody: "malformedBody"
    case .malformedQuery: "malformedQuery"
    case .unsupportedMediaType: "unsupportedMediaType"
    case .encodedBody: "encodedBody"
    case .bodyTooLarge: "bodyTooLarge"
    case .headTooLarge: "headTooLarge"
    case .tooSlow: "tooSlow"
    case .crossSite: "crossSite"
    case .noSuchPath: "noSuchPath"
    case .methodNotAllowed: "methodNotAllowed"
    case .notReady: "notReady"
    }
  }

  @Test(arguments: ProblemCode.allCases)
  func `every code of the API is some failure's, or not this server's to say`(code: ProblemCode) {
    let said = Set(Self.cases.map(\.2)).union(["taken"])
    // A target that is too long is too large a head.
    #expect(said.contains(code.rawValue) != (code == .uriTooLong))
  }

  @Test func `who presented a token hears that it is not good`() {
    let problem = Refused.failure(.signedOut).problem(isTokenPresented: true)
    #expect(problem.headers.map(\.value) == [#"Bearer error="invalid_token""#])
    let login = Refused.failure(.wrongCredentials).problem(isTokenPresented: true)
    #expect(login.headers.map(\.value) == ["Bearer"], "the password is wrong, whatever the token")
  }

  @Test func `a problem is exactly this text`() {
    let faults = [
      FieldFault(field: "email", fault: .missing),
      FieldFault(field: "username", fault: Fault(.tooShort, "Use \"more\".")),
    ]
    let response = Refused.failure(.invalidFields(faults)).problem(isTokenPresented: false).response(requestID: "r-1")
    #expect(
      response.text == #"""
        {"type":"about:blank","title":"Unprocessable Content","status":422,"code":"invalid_fields",\#
        "detail":"Correct the named fields.","requestId":"r-1","errors":[\#
        {"field":"email","code":"missing","message":"This field is required."},\#
        {"field":"username","code":"too_short","message":"Use \"more\"."}]}
        """#)
    #expect(
      Refused.noSuchPath.problem(isTokenPresented: false).response(requestID: "r-2").text == #"""
        {"type":"about:blank","title":"Not Found","status":404,"code":"not_found",\#
        "detail":"There is nothing at this path.","requestId":"r-2"}
        """#)
  }

  @Test(arguments: Fault.Code.allCases)
  func `every fault of a field has the code of the API with the same name`(code: Fault.Code) {
    #expect(FieldErrorCode(code).rawValue == code.rawValue)
  }

  @Test(arguments: [
    (Refusal.malformed("more than one Host"), 400, "malformed_request"),
    (.bodyTooLarge(bytesMax: 10), 413, "body_too_large"),
    (.headTooLarge(bytesMax: 10), 431, "header_fields_too_large"), (.tooSlow, 408, "request_timeout"),
  ])
  func `what the server refuses by itself has its answer too`(refusal: Refusal, status: Int, code: String) throws {
    let router = Router(try App.bare(), log: .off)
    let request = Request(method: .get, target: "/", peer: "192.0.2.1", headers: [(.requestID, "mine")])
    let response = router.refuse(refusal, of: request)
    #expect(response.status == status && response.code == code)
    #expect(response.header("X-Request-ID") == "mine")
    #expect(try response.decoded(as: Problem.self).requestId == "mine")
    let unread = router.refuse(refusal, of: nil)
    #expect(try unread.decoded(as: Problem.self).requestId == unread.header("X-Request-ID"))
  }
}
