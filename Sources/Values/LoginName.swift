/// What somebody types to say who they are: an email address when it holds an @, else a username.
///
/// Every text is a login name. One out of form matches nobody and is treated like the name of nobody, so that it
/// cannot be told from an unknown name by its answer.
public struct LoginName: Hashable, Sendable {
  public static let foldedBytesMax = EmailAddress.bytesMax

  /// How the account is found.
  public enum Form: Hashable, Sendable {
    case email(EmailAddress)
    case username(Username)
    /// Matches nobody.
    case unknown
  }

  public let form: Form
  /// The text with A to Z in lower case, cut to its first 254 bytes: what attempts are counted under, hashed first.
  public let throttleKey: [UInt8]

  /// Reads what was typed. Takes any text.
  public init(_ text: String) {
    throttleKey = text.utf8.prefix(Self.foldedBytesMax).map(\.asciiLowercased)
    if text.utf8.contains(UInt8(ascii: "@")) {
      form = (try? EmailAddress(text)).map(Form.email) ?? .unknown
    } else {
      form = (try? Username(existing: text)).map(Form.username) ?? .unknown
    }
  }

  /// The folded address; nil when this is not an address in form.
  public var email: String? {
    guard case .email(let address) = form else { return nil }
    return address.folded
  }

  /// The folded username; nil when this is not a username in form.
  public var username: String? {
    guard case .username(let name) = form else { return nil }
    return name.text
  }
}
