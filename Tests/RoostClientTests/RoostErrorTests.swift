import Foundation
import RoostAPI
import Testing

@testable import RoostClient

@Suite struct RoostErrorTests {
  private static func problem(_ status: Int, _ code: String, errors: String = "null") throws -> Problem {
    try JSONDecoder.roost.decode(
      Problem.self,
      from: Data(
        """
        {"type": "about:blank", "title": "T", "status": \(status), "code": "\(code)", "detail": "What to do.", \
        "requestId": "r1", "errors": \(errors)}
        """.utf8))
  }

  @Test func `every error has a sentence for people, and one for logs`() throws {
    let problem = try Self.problem(403, "wrong_password")
    let errors: [RoostError] = [
      .refused(problem), .tooManyRequests(problem, retryAfterSeconds: 30), .signedOut, .superseded, .locked,
      .notStored("reason"), .unreachable("reason"), .timedOut, .unexpectedAnswer(status: 502), .cancelled,
    ]
    for error in errors {
      #expect(error.message.hasSuffix(".") && error.message.first?.isUppercase == true)
      #expect(!error.message.contains("reason") && !error.message.contains("502"), "that is for developers")
      #expect(error.localizedDescription == error.message, "also where an app only knows `Error`")
      #expect(!error.description.isEmpty)
    }
    #expect("\(errors[0])" == "403 wrong_password, request r1")
    #expect(errors[0].code == .wrongPassword && errors[2].code == .signedOut && errors[7].code == nil)
  }

  @Test func `the fields of a form have their own`() throws {
    let errors = """
      [{"field": "email", "code": "malformed", "message": "Give an address."}, \
      {"field": "password", "code": "common", "message": "Choose another."}]
      """
    let error = RoostError.refused(try Self.problem(422, "invalid_fields", errors: errors))
    #expect(error.message == "Give an address.\nChoose another.")
    #expect(error.message(for: "password") == "Choose another." && error.code(for: "password") == .common)
    #expect(error.message(for: "username") == nil && error.code(for: "username") == nil)
  }

  @Test func `a code of a later server is no reason to fail`() throws {
    let error = RoostError.refused(try Self.problem(409, "brand_new"))
    #expect(error.code == nil && error.problem?.code == "brand_new" && error.message == "What to do.")
  }

  @Test func `what may be well in a moment is told from what is not`() throws {
    #expect(RoostError.timedOut.isPassing && RoostError.unexpectedAnswer(status: 502).isPassing)
    #expect(RoostError.refused(try Self.problem(503, "overloaded")).isPassing)
    #expect(!RoostError.signedOut.isPassing && !RoostError.unexpectedAnswer(status: 200).isPassing)
    #expect(!RoostError.refused(try Self.problem(500, "internal_error")).isPassing)
  }

  @Test func `kinds of pictures are told by their first bytes`() {
    let kinds: [(String, [UInt8])] = [
      ("image/jpeg", [0xff, 0xd8, 0xff, 0xe0]), ("image/png", [0x89, 0x50, 0x4e, 0x47]),
      ("image/gif", Array("GIF89a".utf8)),
      ("image/webp", Array("RIFF....WEBPVP8 ".utf8)), ("image/heic", [0, 0, 0, 24] + Array("ftypheic".utf8)),
      ("application/octet-stream", Array("<svg>".utf8)), ("application/octet-stream", []),
    ]
    for (type, bytes) in kinds { #expect(PictureType.mediaType(of: Data(bytes)) == type) }
  }
}
