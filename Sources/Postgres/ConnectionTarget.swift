import CPostgres

/// Which database to connect to: what libpq calls a connection string, kept with the password it may hold.
///
/// Several hosts, service files, `sslmode` and the `PG*` variables of the environment work as with `psql`. Of several hosts
/// the one is meant that can be written to, unless `target_session_attrs` says otherwise.
public struct ConnectionTarget: Sendable {
  private let conninfo: String
  private var overrides: [Keyword] = []

  /// A setting of libpq, `application_name` for instance.
  public struct Keyword: Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A target from a URI (`postgresql://user@host/database`) or from `keyword=value` pairs.
  ///
  /// The empty string stands for the `PG*` variables of the environment.
  public init(_ conninfo: String) {
    self.conninfo = conninfo
  }

  /// A target from keywords alone. Values need no quoting.
  public init(_ keywords: [Keyword]) {
    conninfo = ""
    overrides = keywords
  }

  /// The same server, with another database.
  public func with(database: String) -> ConnectionTarget {
    with(Keyword("dbname", database))
  }

  /// The same server, as another role.
  public func with(user: String) -> ConnectionTarget {
    with(Keyword("user", user))
  }

  /// The same target with one keyword replaced.
  public func with(_ keyword: Keyword) -> ConnectionTarget {
    var copy = self
    copy.overrides.removeAll { $0.name == keyword.name }
    copy.overrides.append(keyword)
    return copy
  }

  /// Whether libpq can read it. A string that is neither a URI nor holds pairs is refused too: libpq would take all of it
  /// for the name of a database, and would print it, password and all, in its message.
  public var isWellFormed: Bool {
    parsed != nil
  }

  /// A server that has vanished is noticed in half a minute, where libpq would leave it to the system: that takes hours.
  private static let liveliness = [
    Keyword("keepalives_idle", "10"), Keyword("keepalives_interval", "5"), Keyword("keepalives_count", "4"),
    Keyword("tcp_user_timeout", "30000"),
  ]

  /// The arrays for `PQconnectdbParams` and its kin, to be used with `expand_dbname` = 1, valid during `body` only.
  ///
  /// `defaults` yield to what the connection string or the environment says, `forced` do not.
  public func withParameters<Result>(
    defaults: [Keyword] = [], forced: [Keyword] = [],
    _ body: (
      _ keywords: UnsafePointer<UnsafePointer<CChar>?>, _ values: UnsafePointer<UnsafePointer<CChar>?>
    ) -> Result
  ) -> Result {
    let settings = parsed ?? [:]
    let missing = (defaults + Self.liveliness).filter { settings[$0.name] == nil }
    // libpq's own default is `any`, which may be a standby that the next connection does not come to.
    let isPrimaryMeant = hostCount > 1 && settings["target_session_attrs"] == "any"
    let primary = isPrimaryMeant ? [Keyword("target_session_attrs", "read-write")] : []
    let all = [Keyword("dbname", conninfo)] + overrides + missing + primary + forced
    return withCStrings(all.map(\.name)) { names in
      withCStrings(all.map(\.value)) { values in body(names, values) }
    }
  }
}

extension ConnectionTarget: CustomStringConvertible, CustomReflectable {
  /// Where it leads, without any password: `host=db.example port=5432 dbname=roost user=roost`.
  public var description: String {
    guard let settings = parsed else { return "malformed connection string" }
    let shown = ["service", "host", "hostaddr", "port", "dbname", "user"]
    let pairs = shown.compactMap { name in settings[name].map { "\(name)=\($0)" } }
    return pairs.isEmpty ? "libpq's defaults" : pairs.joined(separator: " ")
  }

  /// Keeps `dump` and failed expectations of tests from printing the password.
  public var customMirror: Mirror {
    Mirror(self, children: ["target": description])
  }

  /// The settings it makes: libpq's defaults and the environment, then the string, then the overrides.
  var parsed: [String: String]? {
    // The message of a failure quotes the string, hence it is not asked for.
    guard let written = PQconninfoParse(conninfo, nil) else { return nil }
    defer { PQconninfoFree(written) }
    var settings: [String: String] = [:]
    if let defaults = PQconndefaults() {
      settings = Self.settings(defaults)
      PQconninfoFree(defaults)
    }
    settings.merge(Self.settings(written)) { $1 }
    for keyword in overrides { settings[keyword.name] = keyword.value }
    // A password with a slash that was not escaped ends up here in part, and libpq quotes what is not a number.
    let port = settings["port"] ?? ""
    return port.allSatisfy({ $0.isNumber || $0 == "," }) ? settings : nil
  }

  private static func settings(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var settings: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val, value.pointee != 0 {
        settings[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return settings
  }
}

/// The strings as an array of C strings that ends in a null pointer.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes.append(contentsOf: string.utf8CString)
  }
  return bytes.withUnsafeBufferPointer { buffer in
    let table: [UnsafePointer<CChar>?] = offsets.map { offset in buffer.baseAddress.map { $0 + offset } } + [nil]
    return table.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
