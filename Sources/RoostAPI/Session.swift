#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A session that has just been opened.
public struct Session: Codable, Sendable, Hashable, Redacted {
  /// The bearer token, shown this once, or nil when it went into a cookie.
  public let token: String?
  /// A UUIDv7, lower case; it names the session and opens nothing.
  public let id: String
  public let createdAt: Date
  /// When the session ends unless it is used before: use moves the end on, up to a year after the log-in.
  public let expiresAt: Date

  /// Shows all but the token.
  public var customMirror: Mirror {
    Mirror(self, children: ["id": id, "token": "redacted", "createdAt": createdAt, "expiresAt": expiresAt])
  }
}
