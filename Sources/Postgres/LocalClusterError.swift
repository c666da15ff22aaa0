/// Why the private cluster cannot be made, started or stopped. Each text says what to do.
public enum LocalClusterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No `initdb` and `postgres` were found.
  case noPrograms
  /// The cluster needs another major version than those installed.
  case otherVersion(folder: String, cluster: Int, installed: [Int])
  /// The folder holds something that is not a cluster.
  case notACluster(folder: String)
  /// PostgreSQL's user cannot enter a folder on the way to the data.
  case unreachable(folder: String, user: String)
  /// The cluster belongs to another user than the one who asks.
  case notYours(folder: String, owner: String)
  /// A folder or file could not be made or opened.
  case file(path: String, reason: String)
  /// A program of PostgreSQL failed or could not be run.
  case program(String)
  /// The server ended while it started, or did not accept connections in time.
  case notStarted(reason: String, log: String)
  /// The server runs, but its database cannot be reached.
  case notAccepting(PostgresError, log: String)
  /// Another process works on the same folder and does not finish.
  case busy(folder: String, seconds: Int)

  public var description: String {
    switch self {
    case .noPrograms:
      """
      PostgreSQL's server programs were not found where pg_config points, in /usr/lib/postgresql, in Homebrew's folders \
      and on PATH. Install them (Debian: apt-get install postgresql; macOS: brew install postgresql@17), or set \
      DATABASE_URL to use a server you have
      """
    case .otherVersion(let folder, let cluster, let installed):
      """
      \(folder) was made by PostgreSQL \(cluster), but installed is \(installed.map(String.init).joined(separator: ", ")). \
      Install PostgreSQL \(cluster), or move the data with pg_upgrade or with pg_dump and psql, or set DATA_DIR to \
      another folder to start with an empty database
      """
    case .notACluster(let folder):
      "\(folder) is not empty and not a PostgreSQL cluster. Set DATA_DIR to another folder"
    case .unreachable(let folder, let user):
      """
      PostgreSQL runs as user \(user), who may not enter \(folder). Allow it (chmod o+x), or set DATA_DIR to a folder \
      that user can reach, /var/lib/roost for instance
      """
    case .notYours(let folder, let owner):
      "\(folder) belongs to user \(owner). Run as \(owner) or as root, or set DATA_DIR to a folder of your own"
    case .file(let path, let reason): "\(path): \(reason)"
    case .program(let reason): reason
    case .notStarted(let reason, let log): "the private PostgreSQL did not start: \(reason). Its log is \(log)"
    case .notAccepting(let error, let log): "the private PostgreSQL runs, but \(error). Its log is \(log)"
    case .busy(let folder, let seconds):
      "another process has been starting or stopping the cluster in \(folder) for \(seconds) s. See who, and run again"
    }
  }
}
