import Foundation
import RoostAPI

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps the session in a file that its owner alone may read (mode 0600), for Linux and for command-line tools.
///
/// The folder is made when it is missing, for its owner alone (0700). A file is replaced as a whole: written beside,
/// flushed to the disk, and renamed. A symbolic link in its place is neither read nor followed.
public struct FileStore: SessionStore {
  /// Where the file is.
  public let path: String

  /// A file beyond this size is none of this store's.
  static let bytesMax = 64 * 1_024

  public init(path: String) {
    self.path = path
  }

  public func load() throws(SessionStoreError) -> StoredSession? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      // What data protection says of a file before the first unlock.
      throw errno == EPERM ? .locked : Self.failure("open")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure("fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .failed("\(path) is no plain file") }
    guard status.st_uid == geteuid() else { throw .failed("\(path) belongs to somebody else") }
    guard status.st_mode & 0o077 == 0 else { throw .failed("\(path) is open to others; its mode must be 0600") }
    let bytes = try Self.bytes(of: descriptor)
    // A file of a later version, or one that is damaged, is no session; the next log-in replaces it.
    return try? JSONDecoder.roost.decode(StoredSession.self, from: Data(bytes))
  }

  public func save(_ session: StoredSession) throws(SessionStoreError) {
    let bytes: [UInt8]
    do { bytes = Array(try JSONEncoder.roost.encode(session)) } catch { throw .failed("the session is no JSON") }
    try makeFolder()
    let temporary = "\(path).\(UUID().uuidString)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("open") }
    do throws(SessionStoreError) {
      defer { close(descriptor) }
      try Self.write(bytes, to: descriptor)
      guard fsync(descriptor) == 0 else { throw Self.failure("fsync") }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let failure = Self.failure("rename")
      unlink(temporary)
      throw failure
    }
    syncFolder()
  }

  public func clear() throws(SessionStoreError) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw Self.failure("unlink") }
    syncFolder()
  }

  private var folder: String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return folder.isEmpty ? "/" : folder
  }

  private func makeFolder() throws(SessionStoreError) {
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .failed("no folder \(folder)")
    }
  }

  /// So that a removed or replaced file does not come back after a power cut. Not every file system can.
  private func syncFolder() {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private static func bytes(of descriptor: Int32) throws(SessionStoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 8_192)
    while bytes.count <= bytesMax {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      if count == 0 { return bytes }
      bytes += piece.prefix(count)
    }
    throw .failed("the file is too large")
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SessionStoreError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write") }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ call: String) -> SessionStoreError {
    .failed("\(call): \(String(cString: strerror(errno)))")
  }
}

extension SessionStore where Self == FileStore {
  /// `session.json` in the folder of this name below `$XDG_STATE_HOME`, by default `~/.local/state`.
  public static func file(app: String) -> FileStore {
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let top = state ?? NSHomeDirectory() + "/.local/state"
    return FileStore(path: "\(top)/\(app)/session.json")
  }

  /// A file at this place.
  public static func file(path: String) -> FileStore { FileStore(path: path) }
}
