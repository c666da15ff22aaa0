public import Postgres
public import Secrets

/// Gives back what ``WriteTweet`` counted for a tweet that another request with the same key was posting already.
public struct ForgiveTweet: ViewerStatement, WriteStatement {
  public let token: TokenDigest

  public init(token: TokenDigest) { self.token = token }

  public static let sql = """
    with \(Viewer.expression),
    forgiven as (
      update throttle set used = used - 1 from viewer
      where throttle.rule = 'tweets_account' and throttle.subject = viewer.id::text and throttle.used > 0
    )
    select \(Viewer.column) from viewer
    """

  public func found(in rows: Rows) {}
}
