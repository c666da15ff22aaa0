import RoostAPI
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct WireValuesTests {
  static let secret = "hunter2-hunter2"

  static let secretBearers: [any Sendable] = [
    Registration(email: "\(secret)@example.com", username: "ada", password: secret, fullName: "Ada", cookie: true),
    Login(login: secret, password: secret),
    PasswordChange(currentPassword: secret, newPassword: secret),
    AccountDeletion(password: secret),
    session,
  ]

  static let session = try! JSONDecoder.roost.decode(
    Session.self,
    from: Data(
      """
      {"token": "\(secret)", "id": "s1", "createdAt": "2026-11-30T09:15:00.123Z", "expiresAt": "2026-12-30T09:15:00.123Z"}
      """.utf8))

  @Test func `no way of printing a value shows its secret`() {
    for value in Self.secretBearers {
      var dumped = ""
      dump(value, to: &dumped)
      dump(["inside": value], to: &dumped)
      for text in ["\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped] {
        #expect(!text.contains(Self.secret))
        #expect(text.contains("redacted"))
      }
    }
    #expect(Self.session.token == Self.secret)
  }

  @Test func `a description shows what may be seen`() {
    let registration = Registration(email: "a@example.com", username: "ada", password: Self.secret)
    #expect(
      "\(registration)" == #"Registration(username: Optional("ada"), email: "redacted", password: "redacted")"#)
    #expect("\(Self.session)".contains(#"id: "s1""#))
  }

  @Test func `a client sends what it was given and leaves out what it was not`() throws {
    let sent = try JSONEncoder.roost.encode(Login(login: "ada", password: "secret"))
    #expect(try JSONDecoder().decode([String: String].self, from: sent) == ["login": "ada", "password": "secret"])
  }

  @Test(arguments: [
    (#"{}"#, ProfileChange()),
    (#"{"bio":null}"#, ProfileChange(bio: .becomes(nil))),
    (#"{"fullName":"Ada"}"#, ProfileChange(fullName: .becomes("Ada"))),
    (#"{"username":null}"#, ProfileChange(username: .becomes(nil))),
  ])
  func `a change of the profile tells what is absent from null`(text: String, change: ProfileChange) throws {
    #expect(try JSONDecoder.roost.decode(ProfileChange.self, from: Data(text.utf8)) == change)
    #expect(String(decoding: try JSONEncoder.roost.encode(change), as: UTF8.self) == text)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", 0), ("2026-11-30T09:15:00.123Z", 1_796_030_100_123),
    ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00.001Z", 951_825_600_001),
    ("2100-02-28T23:59:59.999Z", 4_107_542_399_999), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `a time is read and written to the millisecond`(text: String, milliseconds: Int) throws {
    let json = Data("[\"\(text)\"]".utf8)
    let dates = try JSONDecoder.roost.decode([Date].self, from: json)
    #expect(dates.map { Int(($0.timeIntervalSince1970 * 1_000).rounded()) } == [milliseconds])
    #expect(try JSONEncoder.roost.encode(dates) == json)
  }

  @Test func `every day of four centuries is read as it was written`() throws {
    let days = (0..<146_097).map { Date(timeIntervalSince1970: Double($0 - 25_567) * 86_400 + 0.007) }
    let written = try JSONEncoder.roost.encode(days)
    #expect(try JSONDecoder.roost.decode([Date].self, from: written) == days)
    let texts = try JSONDecoder().decode([String].self, from: written)
    #expect(Set(texts).count == days.count)
    #expect(texts == texts.sorted())
    #expect(texts.first == "1900-01-01T00:00:00.007Z")
    #expect(texts.last == "2299-12-31T00:00:00.007Z")
  }

  @Test(arguments: [
    "2026-11-30T09:15:00Z", "2026-11-30T09:15:00.12Z", "2026-11-30T09:15:00.1234Z", "2026-11-30T09:15:00.123+00:00",
    "2026-11-30t09:15:00.123z", "2026-11-30 09:15:00.123Z", "2026-02-29T09:15:00.123Z", "2026-13-01T09:15:00.123Z",
    "2026-00-01T09:15:00.123Z", "2026-01-00T09:15:00.123Z", "2026-11-31T09:15:00.123Z", "2026-11-30T24:00:00.000Z",
    "2026-11-30T09:60:00.123Z", "2026-11-30T09:15:60.000Z", "-026-11-30T09:15:00.123Z", "2026-11-30T09:15:00.+23Z",
    "1900-02-29T00:00:00.000Z", "", "٢٠٢٦-11-30T09:15:00.123Z",
  ])
  func `a time in another form is refused`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder.roost.decode([Date].self, from: Data("[\"\(text)\"]".utf8)) }
  }

  @Test(arguments: [-62_167_219_200.001, 253_402_300_800, .infinity, .nan, 1e300])
  func `a time outside the years 0 to 9999 is not sent`(seconds: Double) {
    #expect(throws: EncodingError.self) { try JSONEncoder.roost.encode([Date(timeIntervalSince1970: seconds)]) }
  }

  @Test func `a problem of a later server is still read`() throws {
    let problem = try JSONDecoder.roost.decode(
      Problem.self,
      from: Data(
        #"{"type":"about:blank","title":"I'm a teapot","status":418,"code":"teapot","more":[1],"errors":[{"field":"pot","code":"hot","message":"Wait."}]}"#
          .utf8))
    #expect(problem.code == "teapot")
    #expect(problem.knownCode == nil)
    #expect(problem.errors?.first?.knownCode == nil)
    #expect(problem.detail == nil)
  }

  @Test(arguments: ProblemCode.allCases)
  func `every code has a status of refusals and its phrase`(code: ProblemCode) {
    #expect((400...503).contains(code.status))
    #expect((code.title == "Service Unavailable") == (code.status == 503))
    #expect(code.rawValue.allSatisfy { $0 == "_" || ("a"..."z").contains($0) })
  }
}
