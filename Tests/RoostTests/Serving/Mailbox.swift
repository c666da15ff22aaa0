import RoostAPI
import TestSupport
import Testing

/// A server with a mail server of its own, and short ways to what tests of letters do.
struct Mailbox: Sendable {
  let database: TestDatabase
  let mail: TestMailServer
  let server: TestServer
  let visitor: Visitor

  static let publicURL = "https://roost.example"

  init(settings: [String: String] = [:]) throws {
    database = try .fresh()
    mail = try TestMailServer()
    server = try Self.server(database, mail, settings: settings)
    visitor = Visitor(server)
  }

  /// Another node, or the next one.
  static func server(
    _ database: TestDatabase, _ mail: TestMailServer, settings: [String: String] = [:]
  ) throws -> TestServer {
    let own = ["MAIL_URL": mail.url, "PUBLIC_URL": publicURL, "DATABASE_TIMEOUT_MILLISECONDS": "30000"]
    return try TestServer(database, settings: own.merging(settings) { $1 })
  }

  /// The newest letter to an address, once there are so many.
  func letter(_ number: Int, to address: String) throws -> TestMailServer.Message {
    let letters = mail.messages(to: address, count: number)
    try #require(letters.count >= number, "\(letters.map(\.subject)) \(server.lastWords)")
    return letters[number - 1]
  }

  /// The token in that letter's link, which leads to this page.
  func token(_ number: Int, to address: String, page: String) throws -> String {
    let letter = try letter(number, to: address)
    let token = try #require(letter.token, "\(letter.text)")
    #expect(letter.text.contains("\n\(Self.publicURL)\(page)#token=\(token)\n"))
    #expect(token.utf8.count == 43)
    return token
  }

  /// Registers somebody, and waits for the first letter.
  func newcomer(_ person: Person = Person()) throws -> (visitor: Visitor, verification: String) {
    let visitor = try visitor.signedUp(person)
    return (visitor, try token(1, to: person.email, page: "/verify"))
  }
}

extension Visitor {
  func requestReset(_ email: String) throws -> HTTPClient.Response {
    try post("/v1/password-reset", LetterRequest(email: email))
  }

  func reset(_ token: String, _ password: String) throws -> HTTPClient.Response {
    try post("/v1/password-reset/confirm", PasswordReset(token: token, newPassword: password))
  }

  func confirmEmail(_ token: String) throws -> HTTPClient.Response {
    try post("/v1/email-verification/confirm", EmailConfirmation(token: token))
  }

  func changeEmail(_ email: String, _ password: String) throws -> HTTPClient.Response {
    try put("/v1/me/email", EmailChange(email: email, password: password))
  }
}
