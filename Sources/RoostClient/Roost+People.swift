public import RoostAPI

extension Roost {
  /// Somebody's profile, by the username.
  public func profile(_ username: String) async throws(RoostError) -> Profile {
    try await answer(Call(.profile, [username]))
  }

  /// Follows somebody, by the username. It is well when that is so already.
  public func follow(_ username: String) async throws(RoostError) {
    try await perform(Call(.follow, [username]))
  }

  /// Follows somebody no more. It is well when that is so already.
  public func unfollow(_ username: String) async throws(RoostError) {
    try await perform(Call(.unfollow, [username]))
  }

  /// What somebody has posted, newest first.
  public func tweets(of username: String, limit: Int? = nil) -> Pages<Tweet> {
    Pages(self, .profileTweets, [username], limit: limit)
  }

  /// Who follows somebody, the latest first.
  public func followers(of username: String, limit: Int? = nil) -> Pages<Profile> {
    Pages(self, .followers, [username], limit: limit)
  }

  /// Whom somebody follows, the latest first.
  public func following(of username: String, limit: Int? = nil) -> Pages<Profile> {
    Pages(self, .following, [username], limit: limit)
  }
}
