import EventLoop

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The folder with `initdb` and `postgres` of one installed version.
struct PostgresPrograms: Sendable, Equatable {
  let folder: String
  let majorVersion: Int

  var initdb: String { folder + "/initdb" }
  var postgres: String { folder + "/postgres" }

  /// The programs for a cluster of `majorVersion`, or the newest ones when there is no cluster yet.
  static func find(forCluster cluster: (folder: String, majorVersion: Int)?) throws(LocalClusterError)
    -> PostgresPrograms
  {
    var installed: [PostgresPrograms] = []
    for folder in candidates() {
      guard let programs = PostgresPrograms(folder: folder) else { continue }
      if programs.majorVersion == cluster?.majorVersion { return programs }
      installed.append(programs)
    }
    // `max` would take the last of equals, but the first folder is the one that pg_config names.
    guard let newest = installed.max(by: { $0.majorVersion < $1.majorVersion })?.majorVersion,
      let first = installed.first(where: { $0.majorVersion == newest })
    else { throw .noPrograms }
    guard let cluster else { return first }
    let versions = Set(installed.map(\.majorVersion)).sorted()
    throw .otherVersion(folder: cluster.folder, cluster: cluster.majorVersion, installed: versions)
  }

  /// nil when a program is missing or does not run.
  init?(folder: String) {
    guard access(folder + "/initdb", X_OK) == 0, access(folder + "/postgres", X_OK) == 0,
      let outcome = try? ChildProcess.run(folder + "/postgres", ["--version"], timeoutMilliseconds: 5000),
      let version = Self.majorVersion(of: outcome.output)
    else { return nil }
    self.folder = folder
    majorVersion = version
  }

  /// 15 of "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
  static func majorVersion(of text: String) -> Int? {
    let words = text.split(separator: " ")
    guard let name = words.firstIndex(of: "(PostgreSQL)"), name + 1 < words.count else { return nil }
    return Int(words[name + 1].prefix { $0.isNumber })
  }

  /// Folders that may hold them, links resolved, each once.
  private static func candidates() -> [String] {
    let path = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    var folders: [String] = []
    if let config = path.map({ $0 + "/pg_config" }).first(where: { access($0, X_OK) == 0 }),
      let outcome = try? ChildProcess.run(config, ["--bindir"], timeoutMilliseconds: 5000), outcome.succeeded
    {
      folders.append(String(outcome.output.prefix { !$0.isNewline }))
    }
    folders += matches("/usr/lib/postgresql/*/bin") + matches("/usr/pgsql-*/bin")
    folders += matches("/opt/homebrew/opt/postgresql@*/bin") + matches("/usr/local/opt/postgresql@*/bin")
    folders += path
    var seen = Set<String>()
    return folders.compactMap { folder in
      // A link to initdb in /usr/local/bin leads to the folder that has all of them.
      let program = realpath(folder + "/initdb", nil)
      defer { free(program) }
      guard let program else { return nil }
      let parts = String(cString: program).split(separator: "/").dropLast()
      let resolved = "/" + parts.joined(separator: "/")
      return seen.insert(resolved).inserted ? resolved : nil
    }
  }

  private static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
