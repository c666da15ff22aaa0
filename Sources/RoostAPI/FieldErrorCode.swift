/// The stable names of what can be wrong with one field.
public enum FieldErrorCode: String, Codable, Sendable, CaseIterable {
  /// The key is absent or null.
  case missing
  /// The value breaks the form of its kind.
  case malformed
  /// There is too little of it, or nothing that can be seen.
  case tooShort = "too_short"
  case tooLong = "too_long"
  /// Another account has the value.
  case taken
  /// The name is kept for Roost itself.
  case reserved
  /// The password is on the list of common ones.
  case common
  /// The password equals the username, the email address or its local part.
  case sameAsLogin = "same_as_login"
  /// The text holds a character that its field does not allow.
  case forbiddenCharacter = "forbidden_character"
}
