import Log

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The open files that the system allows this process: each connection takes one.
enum Descriptors {
  /// What is no connection of a client: files, loops, pipes, mail servers, and the database's sockets and their heirs.
  static func reserved(for config: Config) -> Int {
    let database = config.database.readConnections + config.database.writeConnections
    return 48 + config.http.workers * (8 + 2 * database)
  }

  /// The settings with no more connections than there are descriptors for, so that the database and everything else
  /// can be reached at the most of them.
  static func bounded(_ config: Config, by limit: Int?, log: Log) -> Config {
    guard let limit else { return config }
    let room = max(connectionsMin, limit - reserved(for: config))
    guard room < config.http.connectionsMax else { return config }
    log.warning(
      "few_descriptors",
      ["descriptors": .number(limit), "connectionsMax": .number(room), "wanted": .number(config.http.connectionsMax)])
    var config = config
    config.http.connectionsMax = room
    return config
  }

  private static let connectionsMin = 8

  /// Asks for as many as the system gives. Answers how many; nil when it sets no limit.
  static func raiseLimit(log: Log) -> Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    limit.rlim_cur = limit.rlim_max
    #if canImport(Darwin)
      limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #endif
    if setrlimit(resource, &limit) != 0 { log.warning("descriptor_limit_not_raised") }
    return Self.limit
  }

  /// How many it allows; nil when it sets no limit.
  static var limit: Int? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
  #else
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
}
