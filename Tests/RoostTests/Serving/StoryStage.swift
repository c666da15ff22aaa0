import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where the story is told: the service at `ROOST_URL`, or else a server of the tests' own.
///
/// It registers one account for all tests of the story that just need somebody, since a service takes few new accounts
/// from one address.
struct StoryStage: Sendable {
  let client: HTTPClient
  let resident: Person
  private let server: TestServer?

  static let shared = Result { try StoryStage() }

  private init() throws {
    if let url = getenv("ROOST_URL").map({ String(cString: $0) }), !url.isEmpty {
      guard let address = HTTPClient.Address(url) else {
        throw TestServer.Trouble(description: "ROOST_URL is not like http://host:8080")
      }
      server = nil
      client = HTTPClient(address)
    } else {
      let server = try TestServer(TestDatabase.fresh())
      self.server = server
      client = server.client()
    }
    resident = Person("resident")
    try Visitor(client).register(resident).expect(201)
  }

  /// Somebody without a session.
  var visitor: Visitor { Visitor(client) }
}
