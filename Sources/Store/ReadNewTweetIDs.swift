public import Postgres
public import Values

/// The ids of everybody's tweets after a place, oldest first: what a node looks at to learn what is new.
public struct ReadNewTweetIDs: ReadStatement {
  public let after: TweetID
  public let limit: Int

  public init(after: TweetID, limit: Int) {
    self.after = after
    self.limit = limit
  }

  public static let sql = """
    select tweet.id from tweet where tweet.id > $1::uuid order by tweet.id limit $2::bigint
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(after)
    parameters.append(Int64(limit))
  }

  public func decode(_ rows: Rows) -> [TweetID] { rows.map { $0.id() } }
}
