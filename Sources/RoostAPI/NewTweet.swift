/// The body of `Endpoint.writeTweet`.
///
/// A client must give the text. A decoded value may lack it, because the server answers an absent key, or null, with 422
/// `missing`, while a value of the wrong type makes the whole document malformed (400).
public struct NewTweet: Codable, Sendable, Hashable {
  /// 1 to 280 characters (Unicode extended grapheme clusters) once trimmed, in at most 1,120 bytes of UTF-8.
  public var text: String?

  public init(text: String) {
    self.text = text
  }
}
