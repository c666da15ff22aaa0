/// A part of a list, newest first.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
  public let items: [Item]
  /// The value of `before` that gives the following page, or nil at the end of the list. It is the last item's place in
  /// the list, not always the item's id.
  public let next: String?
}

extension Page: Equatable where Item: Equatable {}
