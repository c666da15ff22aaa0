import EventLoop
public import Log
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The private PostgreSQL of a set-up without `DATABASE_URL`: made on first use, shared by all processes of one data
/// folder, and stopped by the last of them.
///
/// It listens on a Unix socket only. It survives a `kill -9` of those who use it; the next start adopts it. All calls
/// block, for some seconds when a cluster is made, and belong on no event loop.
public final class LocalCluster: Sendable {
  /// How long a server may take to recover after a crash before the start counts as failed.
  public static let startSecondsMax = 60
  /// How long a server may take to stop, its last checkpoint included.
  public static let stopSecondsMax = 30

  /// Where its database is, for the plain role that owns it.
  public let target: ConnectionTarget
  /// The data folder, with symbolic links resolved.
  public var dataFolder: String { folder.data }
  /// What the server says about itself. It holds no statements and no values.
  public var logFile: String { folder.log }

  private let folder: ClusterFolder
  private let postmaster: Postmaster
  private let log: Log
  private let use = Mutex<FileLock?>(nil)

  /// Names the cluster in `dataFolder`, there or not. Nothing is made or started yet.
  public init(dataFolder: String, log: Log) throws(LocalClusterError) {
    folder = try ClusterFolder(dataFolder)
    postmaster = Postmaster(folder: folder)
    self.log = log
    target = ConnectionTarget([
      .init("host", folder.socketFolder), .init("port", "5432"), .init("user", ClusterSetup.role),
      .init("dbname", ClusterSetup.database),
    ])
  }

  /// The same server for its superuser, for people who look after it.
  public var superuserTarget: ConnectionTarget {
    target.with(user: ClusterSetup.superuser)
  }

  /// The major version of the PostgreSQL that made the cluster; nil when it has not been made.
  public func majorVersion() throws(LocalClusterError) -> Int? {
    try folder.majorVersion()
  }

  /// Says why ``start()`` would fail, as far as that can be seen without changing anything, and answers the major version
  /// of the programs that it would run.
  public func check() throws(LocalClusterError) -> Int {
    try findParts().programs.majorVersion
  }

  /// Whether the server's process is there. It may still be recovering.
  public var isRunning: Bool { postmaster.processID != nil }

  /// Makes the cluster if there is none, starts it unless it runs, and keeps it from being stopped by others until
  /// ``release()`` or the end of this process.
  public func start() throws(LocalClusterError) {
    try folder.make()
    let starting = try lockForChange()
    defer { withExtendedLifetime(starting) {} }
    let lock = try FileLock(folder.useLock)
    guard lock.take(.shared, waitMilliseconds: 1000) else { throw .busy(folder: folder.data, seconds: 1) }
    try bringUp()
    use.withLock { $0 = lock }
  }

  /// Starts the server again if it has crashed or was stopped. Answers whether it had to.
  @discardableResult
  public func ensureRunning() throws(LocalClusterError) -> Bool {
    if isRunning, postmaster.knock(target) == .accepting { return false }
    let starting = try lockForChange()
    defer { withExtendedLifetime(starting) {} }
    return try bringUp()
  }

  /// Lets go of the cluster, and stops it if nobody else uses it. Answers whether it was stopped.
  @discardableResult
  public func release() throws(LocalClusterError) -> Bool {
    guard let lock = use.withLock({ $0.take() }) else { return false }
    // Nobody can begin to use the cluster while this is held.
    let stopping = try lockForChange()
    defer { withExtendedLifetime(stopping) {} }
    guard lock.take(.exclusive) else { return false }
    guard try postmaster.stop(waitMilliseconds: Self.stopSecondsMax * 1000) else {
      log.warning("cluster_still_stopping", ["data": .text(folder.data), "seconds": .number(Self.stopSecondsMax)])
      return false
    }
    if folder.hasSocketElsewhere { rmdir(folder.socketFolder) }
    log.info("cluster_stopped", ["data": .text(folder.data)])
    return true
  }

  private func lockForChange() throws(LocalClusterError) -> FileLock {
    let lock = try FileLock(folder.startLock)
    if lock.take(.exclusive) { return lock }
    log.info("cluster_waits_for_other_process", ["data": .text(folder.data)])
    let seconds = Self.startSecondsMax + Self.stopSecondsMax
    guard lock.take(.exclusive, waitMilliseconds: seconds * 1000) else {
      throw .busy(folder: folder.data, seconds: seconds)
    }
    return lock
  }

  /// Makes, adopts or starts, under the lock for changes. Answers whether a server was started.
  @discardableResult
  private func bringUp() throws(LocalClusterError) -> Bool {
    let started = ContinuousClock.now
    let deadline = started + .seconds(Self.startSecondsMax)
    if isRunning, postmaster.knock(target) == .accepting {
      try checkDatabase()
      log.info("cluster_adopted", ["data": .text(folder.data)])
      return false
    }
    let (programs, owner) = try prepare()
    var child: Int32?
    let logOffset = postmaster.logBytes
    while postmaster.knock(target) != .accepting {
      if let child, ChildProcess.hasEnded(child) {
        throw .notStarted(reason: postmaster.lastWords(from: logOffset), log: folder.log)
      }
      guard ContinuousClock.now < deadline else {
        throw .notStarted(reason: "no connection after \(Self.startSecondsMax) s", log: folder.log)
      }
      // One that runs without accepting is recovering, or is about to end: both need no more than time.
      if child == nil, !isRunning { child = try postmaster.start(programs, as: owner) }
      sleepMilliseconds(5)
    }
    try checkDatabase()
    let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
    log.info(
      child == nil ? "cluster_adopted" : "cluster_started",
      [
        "data": .text(folder.data), "postgres": .number(programs.majorVersion), "user": .text(owner.name),
        "milliseconds": .number(milliseconds),
      ])
    return child != nil
  }

  /// Makes the cluster if there is none, and the folder of the socket.
  private func prepare() throws(LocalClusterError) -> (PostgresPrograms, ClusterOwner) {
    let (version, programs, owner) = try findParts()
    if version == nil {
      log.info(
        "cluster_being_made",
        [
          "data": .text(folder.data), "postgres": .number(programs.majorVersion), "programs": .text(programs.folder),
          "user": .text(owner.name),
        ])
      try ClusterSetup(folder: folder, owner: owner, programs: programs).make()
    }
    try folder.makePrivate(folder.socketFolder, owner)
    return (programs, owner)
  }

  private func findParts() throws(LocalClusterError) -> (
    clusterVersion: Int?, programs: PostgresPrograms, owner: ClusterOwner
  ) {
    let version = try folder.majorVersion()
    let owner = try ClusterOwner.of(version == nil ? nil : folder.cluster)
    if let blocked = owner.firstUnreachable(on: folder.data) {
      throw .unreachable(folder: blocked, user: owner.name)
    }
    return (version, try PostgresPrograms.find(forCluster: version.map { (folder.cluster, $0) }), owner)
  }

  private func checkDatabase() throws(LocalClusterError) {
    do { _ = try BlockingConnection(target) } catch { throw .notAccepting(error, log: folder.log) }
  }
}
