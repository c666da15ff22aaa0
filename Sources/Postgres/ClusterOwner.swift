import EventLoop

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The user that a private cluster's server runs as, who also owns its files.
///
/// That is whoever runs Roost; but PostgreSQL refuses to run as root, so root gives the work to `postgres`, or to
/// `nobody` where there is no such user.
struct ClusterOwner: Sendable, Equatable {
  let userID: UInt32
  let groupID: UInt32
  let name: String

  /// The owner of the cluster in `folder`; nil stands for a cluster that is yet to be made.
  static func of(_ folder: String?) throws(LocalClusterError) -> ClusterOwner {
    var status = stat()
    let folder = folder ?? ""
    let exists = stat(folder, &status) == 0
    if geteuid() != 0 {
      let me = ClusterOwner(userID: geteuid()) ?? ClusterOwner(unnamed: geteuid(), groupID: getegid())
      if exists, status.st_uid != me.userID {
        throw .notYours(folder: folder, owner: ClusterOwner(userID: status.st_uid)?.name ?? "\(status.st_uid)")
      }
      return me
    }
    if exists {
      guard status.st_uid != 0 else { throw .notACluster(folder: folder) }
      return ClusterOwner(userID: status.st_uid) ?? ClusterOwner(unnamed: status.st_uid, groupID: status.st_gid)
    }
    let candidates = ["postgres", "_postgres", "nobody"]
    guard let owner = candidates.lazy.compactMap({ ClusterOwner(name: $0) }).first(where: { $0.userID != 0 }) else {
      throw .program("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
    }
    return owner
  }

  /// As whom to start programs: nil when it is the user of this process anyway.
  var childUser: ChildProcess.User? {
    userID == geteuid() ? nil : ChildProcess.User(userID: userID, groupID: groupID)
  }

  /// The first folder on the way to `path`, itself included, that this user may not enter; nil when all that are there
  /// may be entered.
  ///
  /// A child is in no supplementary group, so the three classes of permission bits decide.
  func firstUnreachable(on path: String) -> String? {
    var prefix = ""
    for part in path.split(separator: "/") {
      prefix += "/" + part
      var status = stat()
      guard stat(prefix, &status) == 0 else { return errno == ENOENT ? nil : prefix }
      let needed: mode_t = status.st_uid == userID ? S_IXUSR : status.st_gid == groupID ? S_IXGRP : S_IXOTH
      if status.st_mode & needed == 0 { return prefix }
    }
    return nil
  }

  private static let entryBytesMax = 16 * 1024

  private init(unnamed userID: UInt32, groupID: UInt32) {
    self.userID = userID
    self.groupID = groupID
    name = "\(userID)"
  }

  private init?(userID: UInt32) {
    self.init { entry, buffer, found in getpwuid_r(userID, entry, buffer, Self.entryBytesMax, found) }
  }

  private init?(name: String) {
    self.init { entry, buffer, found in getpwnam_r(name, entry, buffer, Self.entryBytesMax, found) }
  }

  private init?(
    lookUp: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: Self.entryBytesMax)
    defer { buffer.deallocate() }
    guard lookUp(&entry, buffer, &found) == 0, let found else { return nil }
    userID = found.pointee.pw_uid
    groupID = found.pointee.pw_gid
    name = String(cString: found.pointee.pw_name)
  }
}
