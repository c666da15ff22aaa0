#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An account as its owner sees it: the answer of `Endpoint.me`, and part of every sign-in.
public struct Account: Codable, Sendable, Hashable {
  /// A UUIDv7, lower case.
  public let id: String
  /// The folded name, unique in Roost.
  public let username: String
  public let email: String
  /// Whether the owner has shown that mail to the address arrives.
  public let emailVerified: Bool
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
}
