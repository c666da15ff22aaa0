public import Postgres
public import Values

/// Which of some viewers follow which of some authors.
public struct ReadAudience: ReadStatement {
  public let authors: [AccountID]
  public let viewers: [AccountID]

  public init(authors: [AccountID], viewers: [AccountID]) {
    self.authors = authors
    self.viewers = viewers
  }

  /// `$1` the authors, `$2` the viewers. For each author it walks the shorter list: the followers, or the viewers.
  public static let sql = """
    select author.id, listener.id
    from unnest($1::uuid[]) as asked (id)
    join account as author on author.id = asked.id
    cross join lateral (
      select follow.follower_id as id from follow
      where author.follower_count <= cardinality($2::uuid[]) and follow.followee_id = author.id
        and (follow.follower_id in (select unnest($2::uuid[]))) is true
      union all
      select viewer.id from unnest($2::uuid[]) as viewer (id)
      join follow on follow.follower_id = viewer.id and follow.followee_id = author.id
      where author.follower_count > cardinality($2::uuid[])
    ) as listener
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(authors)
    parameters.append(viewers)
  }

  /// The viewers by the author they follow.
  public func decode(_ rows: Rows) -> [AccountID: [AccountID]] {
    var audience: [AccountID: [AccountID]] = [:]
    for index in 0..<rows.count {
      var row = rows[index]
      audience[row.id(), default: []].append(row.id())
    }
    return audience
  }
}
