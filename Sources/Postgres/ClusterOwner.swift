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

  /// The owner of the cluster in `folder`, if there is one yet, else the one that a new cluster gets.
  static func of(_ folder: String) throws(LocalClusterError) -> ClusterOwner {
    var status = stat()
    let exists = stat(folder, &status) == 0
    if geteuid() != 0 {
      let me = ClusterOwner(getpwuid(geteuid())) ?? ClusterOwner(userID: geteuid(), groupID: getegid())
      if exists, status.st_uid != me.userID {
        throw .notYours(folder: folder, owner: ClusterOwner(getpwuid(status.st_uid))?.name ?? "\(status.st_uid)")
      }
      return me
    }
    if exists {
      guard status.st_uid != 0 else { throw .notACluster(folder: folder) }
      return ClusterOwner(getpwuid(status.st_uid)) ?? ClusterOwner(userID: status.st_uid, groupID: status.st_gid)
    }
    let candidates = ["postgres", "_postgres", "nobody"]
    guard let owner = candidates.lazy.compactMap({ ClusterOwner(getpwnam($0)) }).first(where: { $0.userID != 0 }) else {
      throw .program("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
    }
    return owner
  }

  /// As whom to start programs: nil when it is the user of this process anyway.
  var childUser: ChildProcess.User? {
    userID == geteuid() ? nil : ChildProcess.User(userID: userID, groupID: groupID)
  }

  /// The first folder on the way to `path`, itself included, that this user may not enter; nil when all may be entered.
  ///
  /// A child is in no supplementary group, so the three classes of permission bits decide.
  func firstUnreachable(on path: String) -> String? {
    var prefix = ""
    for part in path.split(separator: "/") {
      prefix += "/" + part
      var status = stat()
      guard stat(prefix, &status) == 0 else { return prefix }
      let needed: mode_t = status.st_uid == userID ? S_IXUSR : status.st_gid == groupID ? S_IXGRP : S_IXOTH
      if status.st_mode & needed == 0 { return prefix }
    }
    return nil
  }

  private init(userID: UInt32, groupID: UInt32) {
    self.userID = userID
    self.groupID = groupID
    name = "\(userID)"
  }

  private init?(_ entry: UnsafeMutablePointer<passwd>?) {
    guard let entry else { return nil }
    userID = entry.pointee.pw_uid
    groupID = entry.pointee.pw_gid
    name = String(cString: entry.pointee.pw_name)
  }
}
