import EventLoop
import Postgres
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A PostgreSQL as a distribution would set it up, for one test: no part of it is Roost's.
final class PlainCluster: Sendable {
  let folder: TestDataFolder
  /// Whose it is; nil when that is whoever runs the tests.
  let user: ChildProcess.User?
  private let terminal: Terminal

  var path: String { folder.path + "/own" }
  var data: String { path + "/main" }

  init() throws {
    folder = try TestDataFolder()
    terminal = try Terminal(in: folder.path + "/start")
    user = try Self.owner()
    try terminal.run("mkdir \(folder.path)/own")
    if let user { chown(folder.path + "/own", user.userID, user.groupID) }
    try terminal.run(
      """
      initdb --pgdata='\(data)' --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-instructions
      cat >>'\(data)/postgresql.conf' <<END
      listen_addresses = ''
      unix_socket_directories = '\(path)'
      END
      pg_ctl start --pgdata='\(data)' --wait --log='\(data)/start.log'
      psql -h '\(path)' -U postgres -d postgres -c 'create role roost login' -c 'create database roost owner roost'
      """, as: user)
  }

  deinit { stop(data) }

  /// The plain role that owns the database, on the cluster that listens on this port.
  func target(port: Int) -> ConnectionTarget {
    ConnectionTarget([.init("host", path), .init("port", "\(port)"), .init("user", "roost"), .init("dbname", "roost")])
  }

  /// Stops what runs in a folder.
  func stop(_ data: String) {
    _ = try? terminal.run("pg_ctl stop --pgdata='\(data)' --mode=immediate --wait", as: user)
  }

  /// PostgreSQL does not run as root.
  private static func owner() throws -> ChildProcess.User? {
    guard geteuid() == 0 else { return nil }
    let entry = try #require(getpwnam("postgres") ?? getpwnam("nobody"))
    return ChildProcess.User(userID: entry.pointee.pw_uid, groupID: entry.pointee.pw_gid)
  }
}
