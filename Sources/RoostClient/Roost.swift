public import Foundation
public import RoostAPI

/// A Roost server, and who is signed in to it on this device.
///
/// An app has one, made at its start and handed to whatever needs it:
///
/// ```swift
/// let roost = Roost(url: URL(string: "https://roost.example.com")!, store: .keychain)
/// ```
///
/// Making it reads the store and nothing else, so that ``user`` is right at once and without the network. In the
/// background it asks the server once whether the session still lives and how the account looks now.
///
/// Every call of the server's API is a method; all of them throw ``RoostError`` and nothing else. They may be called from
/// any task; cancelling the task ends the call.
public final class Roost: Sendable {
  /// The server's address.
  public let url: URL
  let transport: any Transport
  let presence: Presence
  let pace: Pace

  /// `url` is the server's address, `http` or `https`; it may have a path. `store` keeps the session: `.keychain` on
  /// Apple platforms, `.file(app:)` on Linux and for tools, `.memory` for tests.
  public convenience init(url: URL, store: some SessionStore) {
    self.init(url: url, store: store, transport: Wire())
  }

  init(url: URL, store: some SessionStore, transport: some Transport, pace: Pace = Pace()) {
    self.url = url
    self.transport = transport
    self.pace = pace
    presence = Presence(server: url.absoluteString, store: store)
    // Who logs in later than this needs no second look.
    guard !presence.isKnown || presence.user != nil else { return }
    Task { [weak self, weak presence] in
      var number = 0
      while let isKnown = presence?.load(), !isKnown {
        try? await Task.sleep(for: pace.unlocking.backOff(number))
        number += 1
      }
      if presence?.user != nil { _ = try? await self?.me() }
    }
  }

  /// The account that is signed in, as this device saw it last; nil when nobody is, and while the store is locked.
  public var user: Account? { presence.user }

  /// Who is signed in: the present value at once, and then every change, nil for nobody.
  ///
  /// ```swift
  /// for await user in roost.users { show(user == nil ? .welcome : .home) }
  /// ```
  ///
  /// While the store is locked nothing comes. Each call gives a stream of its own, which ends when its task is cancelled
  /// or the `Roost` is gone.
  public var users: AsyncStream<Account?> { presence.watch() }
}

/// How patient the client is.
struct Pace: Sendable {
  /// Of calls.
  var calls = Retries()
  /// Of the server's end of a sign-out: about four minutes in all.
  var signingOut = Retries(
    triesMax: 10, pauseMilliseconds: 1_000, pauseMillisecondsMax: 60_000, retryAfterSecondsMax: 60)
  /// Of a store that is locked, which is asked for as long as it takes.
  var unlocking = Retries(pauseMilliseconds: 500, pauseMillisecondsMax: 15_000)
  /// Of a live feed, which comes back for as long as it is wanted.
  var live = Retries(pauseMilliseconds: 1_000, pauseMillisecondsMax: 30_000)
  /// How long nothing at all may come.
  var idleSecondsMax = 20.0
  /// The same for an upload.
  var uploadIdleSecondsMax = 60.0
  /// The same for a live feed, whose server sends heartbeats.
  var liveIdleSecondsMax = 60.0
}
