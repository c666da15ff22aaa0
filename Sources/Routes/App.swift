public import Services
public import Values

/// What the routes stand on: the services of one loop, and how the outside sees this node.
///
/// A class, since each request has it in hand: as a value it is some forty references to be counted up and down.
public final class App: Sendable {
  public let accounts: Accounts
  public let exports: Exports
  public let profiles: Profiles
  public let ownership: Ownership
  public let avatars: Avatars
  public let sessions: Sessions
  public let passwords: Passwords
  public let emails: Emails
  public let tweets: Tweets
  public let likes: Likes
  public let follows: Follows
  public let feed: Feed
  public let live: LiveFeed
  public let readiness: Readiness
  public let proxies: TrustedProxies
  public let publicURL: PublicURL
  /// Origins whose pages may call from browsers.
  public let corsOrigins: [String]
  /// Whether answers say what took their time, in `Server-Timing`.
  public let tellsTimes: Bool

  public init(
    accounts: Accounts, exports: Exports, profiles: Profiles, ownership: Ownership, avatars: Avatars,
    sessions: Sessions,
    passwords: Passwords, emails: Emails, tweets: Tweets, likes: Likes, follows: Follows, feed: Feed, live: LiveFeed,
    readiness: Readiness,
    proxies: TrustedProxies, publicURL: PublicURL, corsOrigins: [String] = [], tellsTimes: Bool = false
  ) {
    self.accounts = accounts
    self.exports = exports
    self.profiles = profiles
    self.ownership = ownership
    self.avatars = avatars
    self.sessions = sessions
    self.passwords = passwords
    self.emails = emails
    self.tweets = tweets
    self.likes = likes
    self.follows = follows
    self.feed = feed
    self.live = live
    self.readiness = readiness
    self.proxies = proxies
    self.publicURL = publicURL
    self.corsOrigins = corsOrigins
    self.tellsTimes = tellsTimes
  }
}

/// Where clients reach the service: what links and cookies are made for, never the Host header of a request.
public struct PublicURL: Sendable, Equatable {
  /// Scheme, host and port, without a slash at the end.
  public let origin: String

  /// `text` is an http or https URL without path; a slash at its end is left out.
  public init(_ text: String) {
    origin = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Whether clients come by https, so that cookies can demand it.
  public var isSecure: Bool { origin.hasPrefix("https://") }
}
