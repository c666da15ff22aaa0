internal import CPostgres
internal import EventLoop

/// Opens connections on threads of its own, since libpq looks up names and waits for the server while it connects.
///
/// A pooler that refuses `options` is connected to without them; what they set is then for the role or the pooler to say.
public struct Connector: Sendable {
  private let target: ConnectionTarget
  private let hosts: HostOrder
  private let crew: Crew
  private let settings: [ConnectionTarget.Keyword]
  private let options: ConnectionTarget.Keyword
  /// Of all connections that this has opened.
  let newestLineage = Lineage.Newest()

  /// How long one host may take to accept a connection. libpq takes nothing under 2 s.
  static let connectSeconds = 2

  /// A connector that opens up to two connections at a time.
  ///
  /// `statementMilliseconds` is when the server itself gives a statement up.
  public init(_ target: ConnectionTarget, statementMilliseconds: Int) {
    self.target = target
    hosts = HostOrder(target)
    crew = Crew(threads: 2, queueMax: 1_024, niceness: 0, name: "connect")
    settings = [
      .init("application_name", "roost"),
      .init("connect_timeout", "\(Self.connectSeconds)"),
    ]
    options = .init(
      "options",
      "-c statement_timeout=\(statementMilliseconds) -c jit=off -c max_parallel_workers_per_gather=0 "
        + "-c plan_cache_mode=force_generic_plan")
  }

  func open() async throws(PostgresError) -> OpenedConnection {
    guard target.isWellFormed else { throw .unavailable("the connection string is malformed") }
    do {
      return try await crew.run { () -> Result<OpenedConnection, PostgresError> in
        let opened = connect(settings + [options])
        guard case .failure(.unavailable(let reason)) = opened, reason.contains(Self.optionsRefused) else {
          return opened
        }
        return connect(settings)
      }.get()
    } catch let error as PostgresError {
      throw error
    } catch {
      throw .overloaded
    }
  }

  /// What PgBouncer says of `options`, or of a setting in them that it does not pass on.
  private static let optionsRefused = "unsupported startup parameter"

  private func connect(_ settings: [ConnectionTarget.Keyword]) -> Result<OpenedConnection, PostgresError> {
    let (target, first) = hosts.next
    let link = target.withParameters(defaults: settings, forced: [.init("client_encoding", "UTF8")]) {
      PQconnectdbParams($0, $1, 1)
    }
    guard let link, PQstatus(link) == CONNECTION_OK else {
      hosts.failed(startingAt: first)
      defer { PQfinish(link) }
      return .failure(PostgresError(connection: link))
    }
    let examined = examine(link)
    if case .success = examined {
      hosts.succeeded(on: link)
    } else {
      hosts.failed(startingAt: first)
      PQfinish(link)
    }
    return examined
  }

  /// Whether a new connection is one to use: its server answers, and no other has taken over from it.
  private func examine(_ link: OpaquePointer) -> Result<OpenedConnection, PostgresError> {
    guard let isPooled = Pooler.isBetween(link) else { return .failure(.unavailable("no answer on a new connection")) }
    // Behind a pooler each transaction may have another server.
    let deadline = ContinuousClock.now + .milliseconds(Pooler.answerMilliseconds)
    let lineage = isPooled ? nil : Lineage.of(link, until: deadline)
    if let lineage, !newestLineage.admits(lineage, at: .now) {
      return .failure(.unavailable("the server is a primary that another has replaced"))
    }
    return .success(OpenedConnection(link: link, isPooled: isPooled, lineage: lineage))
  }
}

/// A connection between the thread that opened it and the loop that takes it over; only one of them has it.
struct OpenedConnection: @unchecked Sendable {  // the PGconn is handed over whole and used by one thread at a time
  let link: OpaquePointer
  /// Whether a pooler stands between, which may lend another connection of the server for each transaction.
  let isPooled: Bool
  let lineage: Lineage?
}
