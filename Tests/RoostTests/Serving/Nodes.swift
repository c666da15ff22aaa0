import TestSupport

/// Several servers on one database.
struct Nodes: Sendable {
  let database: TestDatabase
  let servers: [TestServer]
  private let clients: [HTTPClient]

  init(_ count: Int, on database: TestDatabase, settings: [String: String] = [:]) throws {
    self.database = database
    // A busy machine may take its time; what is counted must not depend on that.
    let settings = ["DATABASE_TIMEOUT_MILLISECONDS": "30000"].merging(settings) { $1 }
    servers = try atOnce(count) { _ in try TestServer(database, settings: settings) }
    clients = servers.map { $0.client(timeoutMilliseconds: 60_000) }
  }

  init(_ count: Int, settings: [String: String] = [:]) throws {
    try self.init(count, on: .fresh(), settings: settings)
  }

  /// Somebody who is served by the node of this number, counted round and round.
  func visitor(_ number: Int = 0, at address: String? = nil) -> Visitor {
    Visitor(clients[number % clients.count], address: address)
  }

  /// The ends of all logs, for the messages of failed tests.
  var lastWords: String { servers.map(\.lastWords).joined(separator: "\n\n") }
}
