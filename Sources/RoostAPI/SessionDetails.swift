#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One place where an account is signed in, as its owner sees it. It never holds a token.
public struct SessionDetails: Codable, Sendable, Hashable {
  /// A UUIDv7, lower case.
  public let id: String
  public let createdAt: Date
  /// When the session was last used, to the hour.
  public let lastSeenAt: Date
  /// When the session ends unless it is used before.
  public let expiresAt: Date
  /// The `User-Agent` of the log-in, cut to a sensible length, or nil when it had none.
  public let userAgent: String?
  /// The address of the log-in, or nil when it is not known.
  public let ip: String?
  /// Whether this is the session that asks.
  public let current: Bool
}
