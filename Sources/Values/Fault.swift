/// Why a value a person typed was not accepted.
///
/// Answers carry the code and the message beside the name of the field. A fault never holds the refused text.
public struct Fault: Error, Hashable, Sendable {
  /// What clients switch on; the raw values are part of the API and never change.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case missing
    case malformed
    case tooShort = "too_short"
    case tooLong = "too_long"
    case reserved
    case common
    case forbiddenCharacter = "forbidden_character"
    case sameAsLogin = "same_as_login"
  }

  public let code: Code
  /// For people: short, and says what to do.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A required key that is absent or null.
  public static let missing = Fault(.missing, "This field is required.")
}
