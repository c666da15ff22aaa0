import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A client of the API with a session or without.
struct Visitor: Sendable {
  let client: HTTPClient
  /// The token it presents; nil while it is signed out.
  var token: String?
  /// The address that a trusted proxy says it has.
  var address: String?

  init(_ client: HTTPClient, token: String? = nil, address: String? = nil) {
    self.client = client
    self.token = token
    self.address = address
  }

  init(_ server: TestServer, token: String? = nil, address: String? = nil) {
    self.init(server.client(), token: token, address: address)
  }

  /// The same visitor with another session, or none.
  func with(token: String?) -> Visitor { Visitor(client, token: token, address: address) }

  /// The same visitor behind a proxy, at another address.
  func at(_ address: String) -> Visitor { Visitor(client, token: token, address: address) }

  func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil, isAlone: Bool = false
  ) throws -> HTTPClient.Response {
    var all: [(String, String)] = []
    if let token { all.append(("Authorization", "Bearer \(token)")) }
    if let address { all.append(("X-Forwarded-For", address)) }
    return try client.send(method, target, headers: all + headers, body: body, isAlone: isAlone)
  }

  func get(_ target: String, headers: [(String, String)] = []) throws -> HTTPClient.Response {
    try send("GET", target, headers: headers)
  }

  func delete(_ target: String) throws -> HTTPClient.Response { try send("DELETE", target) }

  func post(_ target: String, json: [UInt8], headers: [(String, String)] = []) throws -> HTTPClient.Response {
    try send("POST", target, headers: [("Content-Type", "application/json")] + headers, body: json)
  }

  func post(_ target: String, json: String, headers: [(String, String)] = []) throws -> HTTPClient.Response {
    try post(target, json: Array(json.utf8), headers: headers)
  }

  func post(
    _ target: String, _ value: some Encodable, headers: [(String, String)] = []
  ) throws -> HTTPClient.Response {
    try post(target, json: Array(try JSONEncoder.roost.encode(value)), headers: headers)
  }

  func put(_ target: String, _ value: some Encodable) throws -> HTTPClient.Response {
    try send(
      "PUT", target, headers: [("Content-Type", "application/json")], body: Array(try JSONEncoder.roost.encode(value)))
  }

  // MARK: Calls

  func patch(json: String) throws -> HTTPClient.Response {
    try send("PATCH", "/v1/me", headers: [("Content-Type", "application/json")], body: Array(json.utf8))
  }

  func patch(_ change: ProfileChange) throws -> HTTPClient.Response {
    try patch(json: String(decoding: try JSONEncoder.roost.encode(change), as: UTF8.self))
  }

  func register(_ person: Person) throws -> HTTPClient.Response { try register(person.registration) }

  func register(_ registration: Registration) throws -> HTTPClient.Response { try post("/v1/register", registration) }

  func logIn(_ login: String, _ password: String) throws -> HTTPClient.Response {
    try post("/v1/login", Login(login: login, password: password))
  }

  func me() throws -> HTTPClient.Response { try get("/v1/me") }

  func tweet(_ text: String, key: String? = nil) throws -> HTTPClient.Response {
    try post("/v1/tweets", NewTweet(text: text), headers: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  func signOut() throws -> HTTPClient.Response { try send("POST", "/v1/signout") }

  /// Registers somebody and answers the visitor who is signed in as that person.
  func signedUp(_ person: Person = Person()) throws -> Visitor {
    with(token: try register(person).expect(201).decoded(SignedIn.self).session.token)
  }

  /// Logs somebody in, at a device of their own.
  func loggedIn(_ person: Person) throws -> Visitor {
    let signedIn: SignedIn = try with(token: nil).logIn(person.username, person.password).expect(201).decoded()
    return with(token: signedIn.session.token)
  }
}
