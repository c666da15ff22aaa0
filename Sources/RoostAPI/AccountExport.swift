#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The answer of `Endpoint.exportAccount`: everything that is held about the account, without secrets. Lists are newest
/// first.
public struct AccountExport: Codable, Sendable, Hashable {
  /// The account itself.
  public struct Profile: Codable, Sendable, Hashable {
    public let id: String
    public let username: String
    public let email: String
    public let emailVerifiedAt: Date?
    public let fullName: String?
    public let bio: String?
    /// The language of letters.
    public let language: String
    public let createdAt: Date
    public let passwordChangedAt: Date?
    public let followers: Int
    public let following: Int
    public let tweets: Int
    /// The profile photo as it is served, a JPEG file in base 64.
    public let photo: String?
  }

  /// Where it is signed in. Never a token.
  public struct Session: Codable, Sendable, Hashable {
    public let id: String
    public let createdAt: Date
    public let lastSeenAt: Date
    public let expiresAt: Date
    public let ip: String
    public let userAgent: String?
  }

  /// What it has posted.
  public struct Tweet: Codable, Sendable, Hashable {
    public let id: String
    public let text: String
    public let createdAt: Date
    public let likes: Int
  }

  /// What it likes.
  public struct Like: Codable, Sendable, Hashable {
    public let tweetId: String
    public let createdAt: Date
  }

  /// Whom it follows.
  public struct Follow: Codable, Sendable, Hashable {
    public let accountId: String
    public let username: String
    public let createdAt: Date
  }

  /// What has happened to the account.
  public struct Event: Codable, Sendable, Hashable {
    public let id: String
    /// `logged_in`, `password_changed` and so on.
    public let kind: String
    public let createdAt: Date
    /// Where it came from; nil for what an operator did.
    public let ip: String?
    public let detail: String?
  }

  /// A letter to the owner that waits to be sent, or was sent lately.
  public struct Letter: Codable, Sendable, Hashable {
    public let id: String
    public let kind: String
    public let recipient: String
    public let createdAt: Date
    public let sentAt: Date?
  }

  public let exportedAt: Date
  public let account: Profile
  public let sessions: [Session]
  public let tweets: [Tweet]
  public let likes: [Like]
  public let follows: [Follow]
  public let events: [Event]
  public let letters: [Letter]
}
