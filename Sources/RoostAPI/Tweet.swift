#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A published text.
public struct Tweet: Codable, Sendable, Hashable {
  /// A UUIDv7, lower case; a later tweet has a greater one.
  public let id: String
  public let text: String
  public let createdAt: Date
  public let author: Author
  public let likes: Int
  /// Whether the account that asks likes the tweet.
  public let likedByMe: Bool
}
