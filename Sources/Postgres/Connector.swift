internal import CPostgres
internal import EventLoop

/// Opens connections on threads of its own, since libpq looks up names and waits for the server while it connects.
public struct Connector: Sendable {
  private let target: ConnectionTarget
  private let crew: Crew
  private let settings: [ConnectionTarget.Keyword]

  /// How long one host may take to accept a connection. libpq takes nothing under 2 s.
  static let connectSeconds = 2

  /// A connector that opens up to two connections at a time.
  ///
  /// `statementMilliseconds` is when the server itself gives a statement up.
  public init(_ target: ConnectionTarget, statementMilliseconds: Int) {
    self.target = target
    crew = Crew(threads: 2, queueMax: 1_024, niceness: 0, name: "connect")
    settings = [
      .init("application_name", "roost"),
      .init("connect_timeout", "\(Self.connectSeconds)"),
      .init(
        "options",
        "-c statement_timeout=\(statementMilliseconds) -c jit=off -c max_parallel_workers_per_gather=0 "
          + "-c plan_cache_mode=force_generic_plan"),
    ]
  }

  func open() async throws(PostgresError) -> OpenedConnection {
    guard target.isWellFormed else { throw .unavailable("the connection string is malformed") }
    do {
      return try await crew.run { [target, settings] in
        let link = target.withParameters(defaults: settings, forced: [.init("client_encoding", "UTF8")]) {
          PQconnectdbParams($0, $1, 1)
        }
        guard let link, PQstatus(link) == CONNECTION_OK else {
          let error = PostgresError(connection: link)
          if let link { PQfinish(link) }
          return Result<OpenedConnection, PostgresError>.failure(error)
        }
        return .success(OpenedConnection(link: link))
      }.get()
    } catch let error as PostgresError {
      throw error
    } catch {
      throw .overloaded
    }
  }
}

/// A connection between the thread that opened it and the loop that takes it over; only one of them has it.
struct OpenedConnection: @unchecked Sendable {  // the PGconn is handed over whole and used by one thread at a time
  let link: OpaquePointer
}
