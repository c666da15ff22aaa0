public import Postgres
public import Secrets
public import Values

/// Deletes a tweet of the viewer's. False: there is none with this id, or it is another's.
public struct DeleteTweet: ViewerStatement, WriteStatement {
  public let token: TokenDigest
  public let id: TweetID

  public init(token: TokenDigest, id: TweetID) {
    self.token = token
    self.id = id
  }

  /// The account's row is locked before the tweet's, as everywhere.
  public static let sql = """
    with \(Viewer.expression),
    author as materialized (
      select account.id from account where account.id = (select id from viewer) for no key update
    ),
    deleted as (
      delete from tweet using author where tweet.id = $2::uuid and tweet.author_id = author.id
      returning tweet.id, tweet.author_id
    ),
    counted as (
      update account set tweet_count = tweet_count - 1 from deleted where account.id = deleted.author_id
    )
    select \(Viewer.column), exists (select from deleted) as is_deleted
    from viewer
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(id)
  }
}
