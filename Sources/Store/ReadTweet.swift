public import Postgres
public import Secrets
public import Values

/// One tweet, or nil when there is none with this id, or its author is disabled.
public struct ReadTweet: ViewerStatement, ReadStatement {
  public let token: TokenDigest
  public let id: TweetID

  public init(token: TokenDigest, id: TweetID) {
    self.token = token
    self.id = id
  }

  public static let sql = """
    with \(Viewer.expression)
    select \(Viewer.column), \(TweetRow.columns)
    from viewer
    left join (tweet join account as author on author.id = tweet.author_id and author.disabled_at is null)
      on tweet.id = $2::uuid
    """

  public func bindRest(to parameters: inout Parameters) {
    parameters.append(id)
  }

  public func found(in rows: Rows) -> TweetRow? {
    var row = rows[0]
    row.skip()
    return row.isNextNull ? nil : TweetRow(&row)
  }
}
