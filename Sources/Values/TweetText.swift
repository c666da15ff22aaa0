/// The text of a tweet: 1 to 280 grapheme clusters and at most 1,120 bytes; line feeds are allowed.
public struct TweetText: Hashable, Sendable {
  private static let rule = Prose(graphemesMax: 280, allowsLineFeeds: true)

  public let text: String

  /// Faults: `too_short` (nothing in it can be seen), `too_long`, `forbidden_character` (controls, bidirectional
  /// overrides and isolates).
  public init(_ text: String) throws(Fault) {
    guard let text = try Self.rule.read(text) else { throw Fault(.tooShort, "Write something first.") }
    self.text = text
  }
}
