import Foundation
public import RoostAPI

extension Roost {
  /// Makes an account and signs it in, all or nothing. It is not repeated by itself: when the answer is lost, log in.
  ///
  /// Failures that a form shows beside its fields: code `taken` and `invalidFields`, with
  /// ``RoostError/message(for:)`` for `email`, `username`, `fullName`, `password`.
  @discardableResult
  public func register(
    email: String, username: String, fullName: String? = nil, password: String
  ) async throws(RoostError) -> Account {
    let body = Registration(email: email, username: username, password: password, fullName: fullName)
    return try await signIn(Call(.register, json: body))
  }

  /// Logs in with an email address or a username, whatever its letter case. It is not repeated by itself.
  ///
  /// Failures: code `wrongCredentials`; ``RoostError/tooManyRequests(_:retryAfterSeconds:)`` after too many;
  /// ``RoostError/superseded`` when ``signOut()`` or another log-in came in between.
  @discardableResult
  public func login(_ login: String, password: String) async throws(RoostError) -> Account {
    try await signIn(Call(.login, json: Login(login: login, password: password)))
  }

  /// Signs out. On this device that is done when the call returns, also without a network. The server is told in the
  /// background, with several tries; then the token is dead everywhere.
  ///
  /// - Returns: a task, to be waited for by those who want to know: whether the server has ended the session. Nobody
  ///   needs to, but a program that exits at once should.
  @discardableResult
  public func signOut() -> Task<Bool, Never> {
    let (token, isForgotten) = presence.leave()
    return Task { await end(token, isForgotten: isForgotten) }
  }

  /// The signed-in account as the server has it now; ``user`` and ``users`` follow.
  @discardableResult
  public func me() async throws(RoostError) -> Account {
    let token = try presence.token()
    let revision = presence.revision
    let account: Account = try await answer(Call(.me), token: token)
    presence.update(account, token: token, readAt: revision)
    return account
  }

  private func signIn(_ call: Call) async throws(RoostError) -> Account {
    let generation = try presence.begin()
    let signedIn: SignedIn = try await decoded(call)
    guard let token = signedIn.session.token else {
      throw .unexpectedAnswer(status: call.endpoint.successStatus)
    }
    let previous: String?
    do throws(RoostError) {
      if Task.isCancelled { throw .cancelled }
      previous = try presence.accept(signedIn, token: token, generation)
    } catch {
      // Nobody holds the session that was just opened.
      Task { await end(token) }
      throw error
    }
    if let previous { Task { await end(previous) } }
    return signedIn.user
  }

  /// Ends a session at the server, and lets the store forget it if it did not. Whether the server has.
  @concurrent
  private func end(_ token: String?, isForgotten: Bool = true) async -> Bool {
    var hasEnded = true
    if let token {
      hasEnded = (try? await send(Call(.signOut), token: token, pace.signingOut)) != nil
    }
    var isForgotten = isForgotten
    for number in 0..<pace.signingOut.triesMax where !isForgotten {
      isForgotten = presence.forget()
      if !isForgotten { try? await Task.sleep(for: pace.signingOut.backOff(number)) }
    }
    return hasEnded
  }
}
