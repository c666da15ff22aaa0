/// The name people see: one line of 1 to 50 grapheme clusters and at most 200 bytes.
public struct FullName: Hashable, Sendable {
  private static let rule = Prose(graphemesMax: 50, allowsLineFeeds: false)

  public let text: String

  /// Nil for a text in which nothing can be seen: the account then has no full name.
  ///
  /// Faults: `too_long`, `forbidden_character` (controls, line breaks, bidirectional overrides and isolates).
  public init?(_ text: String) throws(Fault) {
    guard let text = try Self.rule.read(text) else { return nil }
    self.text = text
  }
}
