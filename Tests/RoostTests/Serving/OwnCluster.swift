import EventLoop
import Log
import Postgres
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A PostgreSQL for one test alone, which the test may stop, hang and kill. It is as durable as in earnest.
final class OwnCluster: Sendable {
  let folder: TestDataFolder
  private let cluster: LocalCluster

  init() throws {
    folder = try TestDataFolder()
    cluster = try LocalCluster(dataFolder: folder.path, log: .off)
    try cluster.start()
  }

  /// For the plain role that owns the database.
  var target: ConnectionTarget { cluster.target }

  /// For its superuser.
  var superuserTarget: ConnectionTarget { cluster.superuserTarget.with(database: "postgres") }

  /// Where it listens.
  var socketFolder: String { folder.path + "/socket" }

  /// Stops it in good order; sessions are ended.
  func stop() throws { try cluster.release() }

  /// Starts it again.
  func start() throws { try cluster.start() }

  /// The server process and all those that it has started.
  private var processes: [Int32] {
    guard let server = folder.serverProcessID else { return [] }
    return [server] + Self.children(of: server)
  }

  /// Stops all its processes as a machine does that has run out of everything: nothing answers, nothing is closed.
  func hang() { for process in processes { kill(process, SIGSTOP) } }

  func goOn() { for process in processes.reversed() { kill(process, SIGCONT) } }

  /// Where the system does not say who started whom, only the server process itself is found.
  private static func children(of parent: Int32) -> [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var children: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let process = Int32(name), self.parent(of: process) == parent { children.append(process) }
    }
    return children
  }

  private static func parent(of process: Int32) -> Int32? {
    guard let file = fopen("/proc/\(process)/stat", "re") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&line, 1, line.count, file)
    guard let end = line.prefix(count).lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = String(decoding: line[(end + 1)..<count], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int32(words[1]) : nil
  }
}
