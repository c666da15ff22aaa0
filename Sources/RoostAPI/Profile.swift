#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An account as everybody who is signed in sees it: the answer of `Endpoint.profile`, and an item of the lists of
/// followers and followed. It never holds the email address.
public struct Profile: Codable, Sendable, Hashable {
  /// A UUIDv7, lower case.
  public let id: String
  /// The folded name, unique in Roost.
  public let username: String
  public let fullName: String?
  public let bio: String?
  /// Where the picture is, or nil without one.
  public let profileImageURL: String?
  public let createdAt: Date
  /// How many accounts follow this one.
  public let followers: Int
  /// How many accounts this one follows.
  public let following: Int
  public let tweets: Int
  /// Whether the account that asks follows this one.
  public let followedByMe: Bool
}
