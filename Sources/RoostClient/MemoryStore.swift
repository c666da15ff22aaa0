/// Keeps the session for as long as the object lives: for tests, previews and tools.
public final class MemoryStore: SessionStore {
  private let session: Guarded<StoredSession?>

  /// With a session from the start, if one is given.
  public init(_ session: StoredSession? = nil) {
    self.session = Guarded(session)
  }

  public func load() -> StoredSession? { session.withLock { $0 } }
  public func save(_ session: StoredSession) { self.session.withLock { $0 = session } }
  public func clear() { session.withLock { $0 = nil } }
}

extension SessionStore where Self == MemoryStore {
  /// A new store in memory.
  public static var memory: MemoryStore { MemoryStore() }
}
