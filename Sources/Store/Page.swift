import Postgres
public import Values

/// Which part of a list of tweets is asked for: so many, older than one that is known.
public struct Page: Sendable, Equatable {
  public static let limitRange = 1...100
  public static let limitDefault = 20

  public let limit: Int
  public let before: TweetID?

  public init(limit: Int = limitDefault, before: TweetID? = nil) {
    self.limit = limit
    self.before = before
  }

  /// Reads the rows of a viewer's list that was asked for one more than the limit: it tells whether more follow.
  ///
  /// A single row without a tweet is an empty list.
  func list(_ rows: Rows, _ read: (inout Row) -> TweetRow) -> Listed<TweetRow> {
    var items: [TweetRow] = []
    items.reserveCapacity(limit)
    for index in 0..<min(rows.count, limit) {
      var row = rows[index]
      row.skip()
      if !row.isNextNull { items.append(read(&row)) }
    }
    return Listed(items: items, next: rows.count > limit ? items.last?.id : nil)
  }
}

/// A page of a list, and where the next one begins; nil at the end.
public struct Listed<Item: Sendable>: Sendable {
  public let items: [Item]
  public let next: TweetID?
}

extension Listed: Equatable where Item: Equatable {}
