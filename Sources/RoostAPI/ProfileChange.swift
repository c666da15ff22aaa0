/// The body of `Endpoint.changeProfile`: what is to change of one's own profile.
///
/// A key that is absent leaves the field as it is; null clears it, except for the username, where null is 422 `missing`.
/// A value of the wrong type makes the whole document malformed (400).
public struct ProfileChange: Codable, Sendable, Hashable {
  /// What becomes of one field.
  public enum Field: Sendable, Hashable {
    case stays
    /// Nil, which is null on the wire, clears the field.
    case becomes(String?)
  }

  /// 3 to 30 of `a-z 0-9 _ .`; capitals are folded to lower case. The old name is free at once.
  public var username: Field
  /// The name to show, at most 50 characters.
  public var fullName: Field
  /// At most 160 characters; line feeds are allowed.
  public var bio: Field

  /// A change of what is given; what is absent stays.
  public init(username: Field = .stays, fullName: Field = .stays, bio: Field = .stays) {
    self.username = username
    self.fullName = fullName
    self.bio = bio
  }

  private enum CodingKeys: String, CodingKey {
    case username, fullName, bio
  }

  /// Tells an absent key from one that is null.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func field(_ key: CodingKeys) throws -> Field {
      guard container.contains(key) else { return .stays }
      return .becomes(try container.decodeIfPresent(String.self, forKey: key))
    }
    self.init(username: try field(.username), fullName: try field(.fullName), bio: try field(.bio))
  }

  /// Leaves absent keys out, and writes cleared ones as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    for (key, field) in [(CodingKeys.username, username), (.fullName, fullName), (.bio, bio)] {
      if case .becomes(let text) = field { try container.encode(text, forKey: key) }
    }
  }
}
