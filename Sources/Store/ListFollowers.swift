import Postgres
public import Secrets
public import Values

/// Who follows an account.
public struct ListFollowers: FollowListStatement {
  public let token: TokenDigest
  public let username: Username?
  public let page: Page<FollowRow>

  public init(token: TokenDigest, username: Username?, page: Page<FollowRow>) {
    self.token = token
    self.username = username
    self.page = page
  }

  public static let sql = list("follower_id", of: "followee_id")
}
