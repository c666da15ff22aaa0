import Foundation
import RoostAPI
import Testing

@testable import RoostClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite final class FileStoreTests: Sendable {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "/store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func session(_ token: String = "t1") throws -> StoredSession {
    StoredSession(
      server: "https://roost.example", token: token, sessionID: "s1",
      user: try JSONDecoder.roost.decode(Account.self, from: Data(FakeTransport.Answer.account("ada").utf8)))
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `what is saved is loaded, and what is cleared is gone`() throws {
    let store = FileStore(path: "\(folder)/deep/er/session.json")
    #expect(try store.load() == nil)
    try store.clear()
    try store.save(session("t1"))
    try store.save(session("t2"))
    #expect(try store.load() == session("t2"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/deep/er") == ["session.json"])
    try store.clear()
    #expect(try store.load() == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/deep/er") == [])
  }

  @Test func `nobody else may read it`() throws {
    let before = umask(0)
    defer { umask(before) }
    let store = FileStore(path: "\(folder)/own/session.json")
    try store.save(session())
    #expect(mode("\(folder)/own/session.json") == 0o600 && mode("\(folder)/own") == 0o700)
  }

  @Test func `a link in its place is neither read nor written through`() throws {
    let (target, path) = ("\(folder)/target", "\(folder)/session.json")
    try FileStore(path: target).save(session("of the target"))
    symlink(target, path)
    let store = FileStore(path: path)
    #expect(throws: SessionStoreError.self) { try store.load() }
    try store.save(session("new"))
    #expect(try FileStore(path: target).load()?.token == "of the target")
    #expect(try store.load()?.token == "new")
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
  }

  @Test func `a file that others can read is not believed`() throws {
    let store = FileStore(path: "\(folder)/session.json")
    try store.save(session())
    chmod(store.path, 0o644)
    #expect(throws: SessionStoreError.self) { try store.load() }
  }

  @Test func `what is no file, or no session, is not taken for one`() throws {
    let store = FileStore(path: "\(folder)/session.json")
    for text in ["", "{", "{\"token\": 3}", "null"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: store.path))
      chmod(store.path, 0o600)
      #expect(try store.load() == nil, "\(text)")
    }
    try Data(repeating: 32, count: FileStore.bytesMax + 1).write(to: URL(fileURLWithPath: store.path))
    chmod(store.path, 0o600)
    #expect(throws: SessionStoreError.self) { try store.load() }
    unlink(store.path)
    mkfifo(store.path, 0o600)
    #expect(throws: SessionStoreError.self) { try store.load() }
  }

  @Test func `a save that fails leaves the old file`() throws {
    let store = FileStore(path: "\(folder)/session.json")
    try store.save(session("old"))
    // No file is made beside it: the name is too long.
    let long = FileStore(path: "\(folder)/\(String(repeating: "n", count: 250))")
    #expect(throws: SessionStoreError.self) { try long.save(session("new")) }
    let hindered = FileStore(path: "\(folder)/session.json/below")
    #expect(throws: SessionStoreError.self) { try hindered.save(session("new")) }
    #expect(try store.load()?.token == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["session.json"])
  }

  @Test func `readers see the old session or the new one, never a part`() async throws {
    let store = FileStore(path: "\(folder)/session.json")
    try store.save(session("t0"))
    let sessions = try (1...200).map { try session("t\($0)") }
    try await offPool {
      let writer = Thread {
        for session in sessions { try? store.save(session) }
      }
      writer.start()
      while !writer.isFinished { _ = try #require(try store.load()) }
    }
    #expect(try store.load()?.token == "t200")
  }

  @Test func `a session survives the process, and a sign-out does too`() async throws {
    let store = FileStore(path: "\(folder)/session.json")
    let (first, _) = Roost.faked(store) { request throws(RoostError) in
      request.url?.path == "/v1/login" ? .signedIn("ada", token: "t1") : .done
    }
    try await first.login("ada", password: "correct horse")
    let (second, _) = Roost.faked(store) { _ throws(RoostError) in throw .unreachable("offline") }
    #expect(second.user?.username == "ada")
    second.signOut()
    let (third, _) = Roost.faked(store) { _ throws(RoostError) in .done }
    #expect(third.user == nil)
  }

  @Test func `nothing that is printed shows the token`() throws {
    let session = try session("secret-token")
    for text in ["\(session)", String(reflecting: session)] {
      #expect(!text.contains("secret-token") && !text.contains("ada@example.com") && text.contains("ada"))
    }
    var dumped = ""
    dump(session, to: &dumped)
    #expect(!dumped.contains("secret-token") && !dumped.contains("ada@example.com"))
  }
}
