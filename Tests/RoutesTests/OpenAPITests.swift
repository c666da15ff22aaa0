import RoostAPI
import Testing

@testable import Routes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct OpenAPITests {
  let document: OpenAPIDocument
  let byteCount: Int

  init() throws {
    document = try JSONDecoder().decode(OpenAPIDocument.self, from: Data(OpenAPI.document))
    byteCount = OpenAPI.document.count
  }

  @Test func `the document is OpenAPI 3_1 and small enough to be read`() {
    #expect(document.openapi == "3.1.0")
    #expect(byteCount < 120 * 1_024)
  }

  @Test func `every call is in the document, and nothing else is`() {
    let described = Set(document.operations.map { "\($0.method.uppercased()) \($0.path)" })
    let known = Set(Endpoint.all.map { "\($0.method.rawValue) \($0.path)" })
    #expect(described == known)
    #expect(Endpoint.all.count == known.count)
  }

  @Test(arguments: Endpoint.all)
  func `a call and its operation agree`(endpoint: Endpoint) throws {
    let operation = try #require(document.operation(endpoint))
    #expect(operation.operationId == endpoint.name)
    let good = operation.responses.keys.filter { $0.hasPrefix("2") }
    #expect(good == [String(endpoint.successStatus)])
    #expect(operation.demandsSession(byDefault: document.security) == endpoint.needsSession)
    #expect((operation.responses["401"] != nil) == (endpoint.needsSession || endpoint == .login))
    let inPath = Set(endpoint.path.matches(of: #/\{(\w+)\}/#).map(\.1))
    let parameters = (operation.parameters ?? []) + (document.paths[endpoint.path]?.parameters ?? [])
    #expect(
      try Set(parameters.map { try document.resolve($0) }.filter { $0.in == "path" }.compactMap { $0.name?[...] })
        == inPath)
    for status in ["400", "408", "413", "414", "431", "500"] {
      #expect(operation.responses[status] != nil, "any request may be answered \(status)")
    }
    let hasBody = operation.requestBody != nil
    #expect((operation.responses["415"] != nil) == hasBody)
    // What a body may get wrong; and nobody follows oneself.
    #expect((operation.responses["422"] != nil) == (hasBody || endpoint.path.hasSuffix("/follow")))
  }

  @Test func `every answer names its request, and every refusal is a problem`() throws {
    for operation in document.operations {
      for (status, written) in operation.operation.responses {
        let response = try document.resolve(written)
        let headers = try #require(response.headers, "\(operation.path) \(status)")
        #expect(headers["X-Request-ID"]?.ref == "#/components/headers/RequestID")
        if status >= "400" { #expect(response.content?.keys.sorted() == ["application/problem+json"]) }
        if status == "204" { #expect(response.content == nil) }
        if status == "401" { #expect(headers["WWW-Authenticate"] != nil) }
        if status == "429" || status == "503" { #expect(headers["Retry-After"] != nil) }
      }
    }
  }

  @Test func `the codes of the problems are the known ones, each under its status`() throws {
    var described: Set<String> = []
    for (name, response) in document.components.responses {
      guard let schema = response.content?["application/problem+json"]?.schema else { continue }
      let status = try #require(schema.properties?["status"]?.const?.number)
      let code = try #require(schema.properties?["code"])
      for text in try #require(code.enum?.map(\.text) ?? code.const.map { [$0.text] }) {
        let known = try #require(ProblemCode(rawValue: text ?? ""), "\(name): \(text ?? "null")")
        #expect(known.status == status, "\(name): \(known)")
        described.insert(known.rawValue)
      }
    }
    // A call that is described never answers with this one.
    described.insert(ProblemCode.methodNotAllowed.rawValue)
    #expect(described == Set(ProblemCode.allCases.map(\.rawValue)))
    let fieldCodes = document.components.schemas["FieldError"]?.properties?["code"]?.enum?.compactMap(\.text)
    #expect(fieldCodes.map(Set.init) == Set(FieldErrorCode.allCases.map(\.rawValue)))
    let reasons = document.components.schemas["UsernameAvailability"]?.properties?["reason"]?.enum
    #expect(
      reasons.map { Set($0.map(\.text)) } == Set([nil] + UsernameAvailability.Reason.allCases.map(\.rawValue)))
  }

  @Test func `every example of a problem is one`() throws {
    var count = 0
    for response in document.components.responses.values {
      for example in response.content?["application/problem+json"]?.values ?? [] {
        let problem = try read(Problem.self, example)
        let code = try #require(problem.knownCode)
        #expect(problem.status == code.status)
        #expect(problem.title == code.title)
        #expect(problem.type == "about:blank")
        #expect(problem.detail != nil && problem.requestId != nil)
        #expect((problem.errors != nil) == (code == .invalidFields || code == .taken))
        #expect(problem.errors?.contains { $0.knownCode == nil } != true)
        count += 1
      }
    }
    #expect(count == 24)
  }

  @Test func `every example of an answer is a value of its call`() throws {
    let accounts = try answers(.me, as: Account.self)
    #expect(accounts.map(\.username) == ["ada"])
    #expect(accounts[0].createdAt == Date(timeIntervalSince1970: 1_796_030_100.123))
    #expect(try answers(.register, as: SignedIn.self).map(\.session.token?.isEmpty) == [nil, false])
    #expect(try answers(.login, as: SignedIn.self).count == 2)
    #expect(try answers(.exportAccount, as: AccountExport.self).map(\.account.username) == ["ada"])
    #expect(try answers(.changeProfile, as: Account.self).map(\.username) == ["countess"])
    #expect(try answers(.usernameAvailability, as: UsernameAvailability.self).count == 4)
    #expect(try answers(.sessions, as: Page<SessionDetails>.self).map(\.items.count) == [1])
    #expect(try answers(.writeTweet, as: Tweet.self) == answers(.tweet, as: Tweet.self))
    #expect(try answers(.feed, as: Page<Tweet>.self).map(\.next) == ["01980f1d-0b21-7e6f-b1c2-d3e4f5a6b7c8"])
    #expect(try answers(.explore, as: Page<Tweet>.self) == answers(.feed, as: Page<Tweet>.self))
    #expect(try answers(.profileTweets, as: Page<Tweet>.self) == answers(.feed, as: Page<Tweet>.self))
    let profiles = try answers(.profile, as: Profile.self)
    #expect(profiles.map(\.username) == ["ada"] && profiles[0].followedByMe)
    #expect(try answers(.followers, as: Page<Profile>.self).map(\.items) == [profiles])
    #expect(try answers(.following, as: Page<Profile>.self).map(\.next) == ["01980f1d-5c7e-7e6f-b1c2-d3e4f5a6b7c8"])
    #expect(try answers(.health, as: Health.self).map(\.status) == [.ok])
    #expect(try answers(.ready, as: Health.self).map(\.status) == [.ok])
  }

  @Test func `every example of a body is what a client would send`() throws {
    #expect(
      try bodies(.register, as: Registration.self) == [
        Registration(
          email: "ada@example.com", username: "Ada", password: "an engine of brass", fullName: "Ada Lovelace")
      ])
    #expect(try bodies(.login, as: Login.self) == [Login(login: "ada", password: "an engine of brass")])
    #expect(
      try bodies(.changeProfile, as: ProfileChange.self) == [
        ProfileChange(username: .becomes("Countess"), fullName: .becomes(nil), bio: .becomes("Poetical science."))
      ])
    #expect(
      try bodies(.changePassword, as: PasswordChange.self) == [
        PasswordChange(currentPassword: "an engine of brass", newPassword: "a loom of algebra")
      ])
    #expect(try bodies(.deleteAccount, as: AccountDeletion.self) == [AccountDeletion(password: "an engine of brass")])
    let letter = [LetterRequest(email: "ada@example.com")]
    #expect(try bodies(.requestPasswordReset, as: LetterRequest.self) == letter)
    #expect(try bodies(.remindUsername, as: LetterRequest.self) == letter)
    #expect(try bodies(.resetPassword, as: PasswordReset.self).map(\.token?.utf8.count) == [43])
    #expect(try bodies(.confirmEmail, as: EmailConfirmation.self).map(\.token?.utf8.count) == [43])
    #expect(
      try bodies(.changeEmail, as: EmailChange.self) == [
        EmailChange(email: "ada@lovelace.example", password: "an engine of brass")
      ])
    #expect(try bodies(.writeTweet, as: NewTweet.self).map(\.text?.isEmpty) == [false])
  }

  /// The sorted examples of a call's good answer.
  private func answers<Value: Decodable>(_ endpoint: Endpoint, as type: Value.Type) throws -> [Value] {
    let operation = try #require(document.operation(endpoint))
    let response = try document.resolve(#require(operation.responses[String(endpoint.successStatus)]))
    return try #require(response.content?["application/json"]).values.map { try read(type, $0) }
  }

  private func bodies<Value: Decodable>(_ endpoint: Endpoint, as type: Value.Type) throws -> [Value] {
    let operation = try #require(document.operation(endpoint))
    return try #require(operation.requestBody?.content?["application/json"]).values.map { try read(type, $0) }
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws -> Value {
    try JSONDecoder.roost.decode(type, from: JSONEncoder().encode(json))
  }
}
