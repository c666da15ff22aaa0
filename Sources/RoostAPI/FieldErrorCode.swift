/// The stable names of what can be wrong with one field.
public enum FieldErrorCode: String, Codable, Sendable, CaseIterable {
  /// The key is absent or null.
  case missing
  /// The value breaks the form of its kind.
  case malformed
  case tooShort = "too_short"
  case tooLong = "too_long"
  /// Another account has the value.
  case taken
  /// The name is kept for Roost itself.
  case reserved
  /// The password is on the list of common ones.
  case common
  /// The password equals the username, the email address or its local part.
  case sameAsAccount = "same_as_account"
  /// The text holds a control or bidirectional override character.
  case forbiddenCharacter = "forbidden_character"
}
