#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What lies where below a data folder.
///
///     <data>/postgres         the cluster (PGDATA), of its owner alone
///     <data>/postgres.log     what the server says about itself; never statements or values
///     <data>/socket           where the server listens; a folder in /tmp if this path is too long for a socket
///     <data>/start.lock       held while the cluster is being started or stopped
///     <data>/use.lock         held, shared, by each process that uses the cluster
///     <data>/server.lock      held by the server and its children
///
/// The data folder itself is never handed to another user: only `postgres` and `socket` are the owner's.
struct ClusterFolder: Sendable {
  /// With symbolic links resolved, so that it can be compared.
  let data: String
  let socketFolder: String

  var cluster: String { data + "/postgres" }
  var unfinishedCluster: String { data + "/postgres.unfinished" }
  var log: String { data + "/postgres.log" }
  var startLock: String { data + "/start.lock" }
  var useLock: String { data + "/use.lock" }
  var serverLock: String { data + "/server.lock" }

  var hasSocketElsewhere: Bool { !socketFolder.hasPrefix(data) }

  static let socketName = ".s.PGSQL.5432"

  /// How long a socket's path may be, its final zero byte not counted.
  static let socketPathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Looks where `path` leads; nothing is made.
  init(_ path: String) throws(LocalClusterError) {
    data = try Self.resolved(path)
    socketFolder = Self.socketFolder(data: data, userID: geteuid())
  }

  /// Makes the data folder unless it is there, with the folders above it.
  func make() throws(LocalClusterError) {
    // Others may pass through a folder of root, since the server runs as one of them.
    try Self.makeFolders(data, mode: geteuid() == 0 ? 0o711 : 0o700)
  }

  /// The major version that the cluster was made by; nil when there is no cluster yet.
  func majorVersion() throws(LocalClusterError) -> Int? {
    if let text = Self.contents(cluster + "/PG_VERSION"), let version = Int(text.prefix { $0.isNumber }) {
      return version
    }
    guard let listing = opendir(cluster) else {
      guard errno == ENOENT else { throw .file(path: cluster, reason: Self.lastError) }
      return nil
    }
    defer { closedir(listing) }
    // An empty folder is as good as none. The first two entries are the folder itself and the one above.
    for _ in 0..<2 { _ = readdir(listing) }
    guard readdir(listing) == nil else { throw .notACluster(folder: cluster) }
    return nil
  }

  /// Makes a folder for `owner` alone, or checks that the one there is just that.
  func makePrivate(_ path: String, _ owner: ClusterOwner) throws(LocalClusterError) {
    if mkdir(path, 0o700) == 0 {
      if owner.childUser != nil, chown(path, owner.userID, owner.groupID) != 0 {
        let reason = Self.lastError
        rmdir(path)
        throw .file(path: path, reason: reason)
      }
      return
    }
    guard errno == EEXIST else { throw .file(path: path, reason: Self.lastError) }
    var status = stat()
    // In /tmp anybody may have made it, or have put a link there.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == owner.userID else {
      throw .file(path: path, reason: "is not a folder of user \(owner.name)")
    }
    chmod(path, 0o700)
  }

  static func contents(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  static var lastError: String { String(cString: strerror(errno)) }

  /// A folder whose socket's path fits, in the data folder if possible. libpq takes commas for several hosts.
  static func socketFolder(data: String, userID: UInt32) -> String {
    let inside = data + "/socket"
    let fits = inside.utf8.count + 1 + socketName.utf8.count <= socketPathBytesMax
    if fits, !inside.contains(where: { $0 == "," || $0 == "\"" }) { return inside }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
    for byte in data.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return "/tmp/roost-\(userID)-" + String(hash, radix: 16)
  }

  /// The path without symbolic links, as far as its folders exist, and as it is from there on.
  private static func resolved(_ path: String) throws(LocalClusterError) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard errno == ENOENT else { throw .file(path: path, reason: lastError) }
    let parts = path.split(separator: "/")
    guard let last = parts.last else { throw .file(path: path, reason: "names no folder") }
    let parent = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    let above = try resolved(parent)
    return above + (above.hasSuffix("/") ? "" : "/") + last
  }

  private static func makeFolders(_ path: String, mode: mode_t) throws(LocalClusterError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    guard errno == ENOENT, !parent.isEmpty else { throw .file(path: path, reason: lastError) }
    try makeFolders(parent, mode: 0o755)
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .file(path: path, reason: lastError) }
  }
}
