/// The value of an `Idempotency-Key` header: 1 to 255 printable ASCII characters, compared byte by byte.
public struct IdempotencyKey: Hashable, Sendable {
  public static let lengthMax = 255

  public let text: String

  /// Faults: `too_short` (empty), `too_long`, `forbidden_character`.
  public init(_ text: String) throws(Fault) {
    guard !text.utf8.isEmpty else { throw Fault(.tooShort, "Use at least 1 character.") }
    guard text.utf8.count <= Self.lengthMax else { throw Fault(.tooLong, "Use at most 255 characters.") }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Fault(.forbiddenCharacter, "Use printable ASCII characters only.")
    }
    self.text = text
  }
}
