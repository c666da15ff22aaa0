import Postgres
public import Values

/// A row of a list. The list is ordered by the rows' places, greatest first; each page begins below one.
public protocol Listable: Sendable, Equatable {
  /// What the list's places are the ids of.
  associatedtype PlaceTag

  /// Where the row stands: nothing else in the list has the same.
  var place: ID<PlaceTag> { get }
}

/// Which part of a list is asked for: so many items, below a place that is known.
public struct Page<Item: Listable>: Sendable, Equatable {
  public let limit: Int
  public let before: ID<Item.PlaceTag>?

  public init(limit: Int = PageLimit.standard, before: ID<Item.PlaceTag>? = nil) {
    self.limit = limit
    self.before = before
  }

  /// Reads the rows of a list that was asked for one more than the limit: it tells whether more follow.
  ///
  /// `columns` of each row come before the item's own. A single row without an item is an empty list.
  func list(_ rows: Rows, after columns: Int = 1, _ read: (inout Row) -> Item) -> Listed<Item> {
    var items: [Item] = []
    items.reserveCapacity(limit)
    for index in 0..<min(rows.count, limit) {
      var row = rows[index]
      row.skip(columns)
      if !row.isNextNull { items.append(read(&row)) }
    }
    return Listed(items: items, next: rows.count > limit ? items.last?.place : nil)
  }

  /// The same for the list of something that may not be there: nil then, which a column before the items' tells.
  func list(ofKnown rows: Rows, _ read: (inout Row) -> Item) -> Listed<Item>? {
    var row = rows[0]
    row.skip()
    return row.bool() ? list(rows, after: 2, read) : nil
  }
}

/// How many items a page may have.
public enum PageLimit {
  public static let range = 1...100
  /// Unless another number is asked for.
  public static let standard = 20
}

/// A page of a list, and the place below which the next one begins; nil at the end.
public struct Listed<Item: Listable>: Sendable, Equatable {
  public let items: [Item]
  public let next: ID<Item.PlaceTag>?
}

extension Parameters {
  /// Two parameters: the place below which the page begins, or null, and how many rows to answer with.
  mutating func append<Item>(_ page: Page<Item>) {
    append(page.before)
    append(Int64(page.limit + 1))
  }
}
