import Postgres
public import Secrets
public import Values

/// Whom an account follows.
public struct ListFollowing: FollowListStatement {
  public let token: TokenDigest
  public let username: Username?
  public let page: Page<FollowRow>

  public init(token: TokenDigest, username: Username?, page: Page<FollowRow>) {
    self.token = token
    self.username = username
    self.page = page
  }

  public static let sql = list("followee_id", of: "follower_id")
}
