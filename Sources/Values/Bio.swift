/// What people write about themselves: 1 to 160 grapheme clusters and at most 640 bytes; line feeds are allowed.
public struct Bio: Hashable, Sendable {
  private static let rule = Prose(graphemesMax: 160, allowsLineFeeds: true)

  public let text: String

  /// Nil for a text in which nothing can be seen: the account then has no bio.
  ///
  /// Faults: `too_long`, `forbidden_character` (controls, bidirectional overrides and isolates).
  public init?(_ text: String) throws(Fault) {
    guard let text = try Self.rule.read(text) else { return nil }
    self.text = text
  }
}
