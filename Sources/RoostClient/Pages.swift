public import RoostAPI

/// A list of the server, newest first, page by page. A page is fetched when it is asked for, never ahead.
///
/// ```swift
/// for try await page in roost.explore() { tweets += page.items }
/// ```
///
/// For a list that grows while somebody scrolls, keep an iterator and ask it for ``Iterator/next()``, or use
/// ``page(before:)``.
public struct Pages<Item: Codable & Sendable>: AsyncSequence, Sendable {
  /// One page.
  public typealias Element = Page<Item>

  private let roost: Roost
  private let call: Call

  init(_ roost: Roost, _ endpoint: Endpoint, _ values: [String] = [], limit: Int? = nil) {
    self.roost = roost
    var call = Call(endpoint, values)
    if let limit { call.query = [("limit", "\(limit)")] }
    self.call = call
  }

  /// The page that follows a `next` of the page before it; the newest for nil.
  public func page(before next: String? = nil) async throws(RoostError) -> Page<Item> {
    var call = call
    if let next { call.query.append(("before", next)) }
    return try await roost.answer(call)
  }

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Goes through the pages of a list.
  public struct Iterator: AsyncIteratorProtocol {
    private let pages: Pages
    private var place: String?
    private var isOver = false

    init(_ pages: Pages) { self.pages = pages }

    /// The following page, nil after the last. After an error it may be asked again, for the same page.
    public mutating func next() async throws(RoostError) -> Page<Item>? {
      guard !isOver else { return nil }
      let page = try await pages.page(before: place)
      place = page.next
      isOver = page.next == nil
      return page
    }
  }
}
