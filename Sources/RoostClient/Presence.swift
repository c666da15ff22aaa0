import RoostAPI

#if canImport(Combine)
  import Combine
  import Dispatch
#endif

/// Who is signed in on this device: the session in the store, the same in memory, and those who watch it.
///
/// Everything that takes time is tied to what was true when it began. A log-in holds a generation number, which every
/// other log-in, sign-out and end of a session moves on; what a signed-in call brings back counts only while its token
/// is still the present one. So a late answer never brings an old session back. No clock is asked.
final class Presence: Sendable {
  private struct State: Sendable {
    /// False while the store is locked: then nobody knows.
    var isKnown = false
    var session: StoredSession?
    var generation = 0
    /// Counts the changes of the account by answers to writes.
    var revision = 0
    var watchers: [Int: AsyncStream<Account?>.Continuation] = [:]
    var watcherCount = 0
  }

  private let server: String
  private let store: any SessionStore
  /// One change at a time, store and memory together; who only reads the memory does not wait for the store.
  private let changing = Guarded(())
  private let state = Guarded(State())
  #if canImport(Combine)
    /// Nil until it is known who is signed in.
    nonisolated(unsafe) let subject = CurrentValueSubject<Account??, Never>(nil)  // Combine's subjects lock themselves
    private let deliveries = DispatchQueue(label: "roost.users")
  #endif

  init(server: String, store: any SessionStore) {
    self.server = server
    self.store = store
    load()
  }

  deinit {
    state.withLock { state in
      for watcher in state.watchers.values { watcher.finish() }
    }
  }

  /// Reads the store unless that has been done. False while it is locked.
  @discardableResult
  func load() -> Bool {
    changing.withLock { _ in
      if state.withLock({ $0.isKnown }) { return true }
      let found: StoredSession?
      do throws(SessionStoreError) {
        found = try store.load()
      } catch .locked {
        return false
      } catch {
        // A store that is out of order holds nobody back from logging in, which says what is wrong with it.
        found = nil
      }
      let session = found?.server == server ? found : nil
      state.withLock { state in
        state.isKnown = true
        state.session = session
        publish(&state)
      }
      return true
    }
  }

  /// False while the store is locked.
  var isKnown: Bool { state.withLock { $0.isKnown } }

  /// The account as it was seen last.
  var user: Account? { state.withLock { $0.session?.user } }

  /// The present session's token. Failures: `signedOut`, `locked`.
  func token() throws(RoostError) -> String {
    guard load() else { throw .locked }
    guard let token = state.withLock({ $0.session?.token }) else { throw .signedOut }
    return token
  }

  func isPresent(_ token: String) -> Bool { state.withLock { $0.session?.token == token } }

  // MARK: Beginning

  /// Starts a log-in, which overtakes any other that is under way.
  func begin() throws(RoostError) -> Int {
    guard load() else { throw .locked }
    return state.withLock { state in
      state.generation += 1
      return state.generation
    }
  }

  /// Takes on a new session, and answers the token of the one that it replaces. Failures: `superseded` when something
  /// came in between, `notStored`.
  func accept(_ signedIn: SignedIn, token: String, _ generation: Int) throws(RoostError) -> String? {
    let session = StoredSession(server: server, token: token, sessionID: signedIn.session.id, user: signedIn.user)
    let outcome: Result<String?, RoostError> = changing.withLock { _ in
      guard state.withLock({ $0.generation == generation }) else { return .failure(.superseded) }
      do throws(SessionStoreError) {
        try store.save(session)
      } catch {
        switch error {
        case .locked: return .failure(.locked)
        case .failed(let reason): return .failure(.notStored(reason))
        }
      }
      return state.withLock { state in
        // A sign-out waits for `changing`, but a log-in that has just begun does not.
        let previous = state.session?.token
        state.generation += 1
        state.session = session
        publish(&state)
        return .success(previous)
      }
    }
    return try outcome.get()
  }

  // MARK: Changing

  /// How often the account was changed by writes so far.
  var revision: Int { state.withLock { $0.revision } }

  /// Takes on the account as a signed-in call has answered it. What a read brings counts only if no write was answered
  /// since it began, at `revision`: it may have been overtaken.
  func update(_ user: Account, token: String, readAt revision: Int? = nil) {
    changing.withLock { _ in
      let changed = state.withLock { state -> StoredSession? in
        guard var session = state.session, session.token == token else { return nil }
        if let revision, revision != state.revision { return nil }
        if revision == nil { state.revision += 1 }
        guard session.user != user else { return nil }
        session.user = user
        state.session = session
        publish(&state)
        return session
      }
      // A store that fails here has the account as it was before, until the next start's first answer.
      if let changed { try? store.save(changed) }
    }
  }

  // MARK: Ending

  /// Ends the session here, whatever the store says, and answers its token and whether the store has forgotten it.
  func leave() -> (token: String?, isForgotten: Bool) {
    changing.withLock { _ in
      // First of all, so that nothing that is under way counts any more.
      let token = end()
      return (token, (try? store.clear()) != nil)
    }
  }

  /// Lets the store forget what it did not at the sign-out. True when nothing is left to forget.
  func forget() -> Bool {
    changing.withLock { _ in
      guard state.withLock({ $0.session == nil }) else { return true }
      return (try? store.clear()) != nil
    }
  }

  /// The server says that the session of this token is over. If another process, such as an app's extension, has put a
  /// newer one into the store, that one is taken on.
  func expire(_ token: String) {
    changing.withLock { _ in
      guard state.withLock({ $0.session?.token == token }) else { return }
      if let stored = try? store.load(), stored.server == server, stored.token != token {
        state.withLock { state in
          state.generation += 1
          state.session = stored
          publish(&state)
        }
      } else {
        _ = end()
        try? store.clear()
      }
    }
  }

  private func end() -> String? {
    state.withLock { state in
      let token = state.session?.token
      let isNews = token != nil || !state.isKnown
      state.generation += 1
      state.isKnown = true
      state.session = nil
      if isNews { publish(&state) }
      return token
    }
  }

  // MARK: Watching

  /// The present value as soon as there is one, and every later one; who is slow misses those in between.
  func watch() -> AsyncStream<Account?> {
    let (stream, watcher) = AsyncStream<Account?>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.watcherCount += 1
      state.watchers[state.watcherCount] = watcher
      if state.isKnown { watcher.yield(state.session?.user) }
      return state.watcherCount
    }
    watcher.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Within the lock, so that everybody sees the changes in their order.
  private func publish(_ state: inout State) {
    let user = state.session?.user
    for watcher in state.watchers.values { watcher.yield(user) }
    #if canImport(Combine)
      // Not within the lock: a subscriber may ask for the user.
      deliveries.async { self.subject.send(.some(user)) }
    #endif
  }
}
