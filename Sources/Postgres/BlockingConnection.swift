import CPostgres

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection that waits for each answer: for migrations, checks and tests, never for requests.
///
/// Values travel as text. The connection closes with the object; it is not to be used from two threads.
public final class BlockingConnection {
  let handle: OpaquePointer

  /// Connects, for at most `timeoutSeconds` per host unless the target says otherwise.
  ///
  /// Notices of the server ("relation exists, skipping") are dropped.
  public init(_ target: ConnectionTarget, timeoutSeconds: Int = 5) throws(PostgresError) {
    guard target.isWellFormed else { throw .unavailable("the connection string is malformed") }
    let opened = target.withParameters(
      defaults: [.init("connect_timeout", "\(timeoutSeconds)"), .init("application_name", "roost")],
      forced: [.init("client_encoding", "UTF8")]
    ) { keywords, values in PQconnectdbParams(keywords, values, 1) }
    guard PQstatus(opened) == CONNECTION_OK, let opened else {
      defer { PQfinish(opened) }
      throw PostgresError(connection: opened)
    }
    handle = opened
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  /// Runs one or several statements, separated by semicolons. Several are one transaction unless they say otherwise.
  public func run(_ sql: String) throws(PostgresError) {
    _ = try rows(of: PQexec(handle, sql))
  }

  /// Runs one statement and answers how many rows it has changed.
  public func change(_ sql: String) throws(PostgresError) -> Int {
    let result = PQexec(handle, sql)
    let count = result.flatMap { PQcmdTuples($0) }.flatMap { Int(String(cString: $0)) }
    _ = try rows(of: result)
    return count ?? 0
  }

  /// The rows of one statement whose parameters are `$1`, `$2` and so on; nil stands for null.
  public func rows(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> [[String?]] {
    // PQexecParams takes one array of C strings; a null pointer in it is null.
    let copies = parameters.map { $0.map { strdup($0) } ?? nil }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { UnsafePointer<CChar>($0) }
    return try rows(of: PQexecParams(handle, sql, Int32(values.count), nil, values, nil, nil, 0))
  }

  /// The first column of the first row; nil for no row and for null.
  public func value(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> String? {
    try rows(sql, parameters).first?.first ?? nil
  }

  /// The server's version, 150018 for 15.18.
  public var serverVersion: Int { Int(PQserverVersion(handle)) }

  func rows(of result: OpaquePointer?) throws(PostgresError) -> [[String?]] {
    guard let result else { throw PostgresError(connection: handle) }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return []
    case PGRES_TUPLES_OK: break
    default: throw PostgresError(refusal: result)
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }
}

/// `text` in double quotes, for names of roles and databases inside a statement.
public func quotedName(_ text: String) -> String {
  "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
