import CSodium

/// The secret in a mailed link: 256 random bits, written as 43 characters of base64url.
///
/// Only its ``digest`` is kept, except in the letter that waits to be sent. It is good once, for one purpose.
public struct LinkToken: Hashable, Sendable {
  private let octets: Octets32

  /// A new token from the system's random generator.
  public init() {
    Sodium.ready
    octets = Octets32 { randombytes_buf($0, Octets32.count) }
  }

  /// Reads a presented token; nil for anything but the exact form.
  public init?(presented text: String) {
    var text = text
    guard let octets = text.withUTF8({ Base64.decode($0, .url) }) else { return nil }
    self.octets = octets
  }

  /// What the table of links knows the token by.
  public var digest: TokenDigest { octets.withBytes { TokenDigest(.of($0)) } }

  /// The secret itself, for the letter.
  public var text: String {
    var text: [UInt8] = []
    Base64.append(octets, .url, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension LinkToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "LinkToken(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
