/// Where a session outlives the app's process. Roost brings ``KeychainStore`` (Apple platforms), ``FileStore`` and
/// ``MemoryStore``.
///
/// Roost calls it from any thread, one call at a time. The calls may block for as long as a small file takes, and must
/// not call Roost.
public protocol SessionStore: Sendable {
  /// What was saved last, or nil when there is nothing. A store that cannot be read at the moment says
  /// ``SessionStoreError/locked``, never nil: the user is not to be signed out by a phone that was not unlocked yet.
  func load() throws(SessionStoreError) -> StoredSession?
  /// Replaces what was saved, all of it or nothing.
  func save(_ session: StoredSession) throws(SessionStoreError)
  /// Forgets what was saved. It is no error when there is nothing.
  func clear() throws(SessionStoreError)
}

/// Why a store does not do what it should.
public enum SessionStoreError: Error, Sendable, Hashable {
  /// It holds something or not; that cannot be seen before the device is unlocked.
  case locked
  /// What the system says, for developers.
  case failed(String)
}
