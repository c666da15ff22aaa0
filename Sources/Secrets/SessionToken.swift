import CSodium

/// What a signed-in client presents: 256 random bits behind a prefix that secret scanners can recognise.
///
/// Written `roost_` and 43 characters of base64url. Only its ``digest`` is stored, so the table of sessions opens
/// no door. It lives as long as its session.
public struct SessionToken: Hashable, Sendable {
  public static let prefix = "roost_"
  private static let prefixBytes = Array(prefix.utf8)

  private let octets: Octets32

  /// A new token from the system's random generator.
  public init() {
    Sodium.ready
    octets = Octets32 { randombytes_buf($0, Octets32.count) }
  }

  /// Reads a presented token; nil for anything but the exact form, without a look at the database.
  public init?(presented text: UnsafeBufferPointer<UInt8>) {
    let prefix = Self.prefixBytes
    guard text.count == prefix.count + Base64.Variant.url.textCount, text.starts(with: prefix),
      let octets = Base64.decode(UnsafeBufferPointer(rebasing: text[prefix.count...]), .url)
    else { return nil }
    self.octets = octets
  }

  public init?(presented text: some StringProtocol) {
    guard let token = text.utf8.withContiguousStorageIfAvailable({ Self(presented: $0) }) ?? nil else { return nil }
    self = token
  }

  /// What the table of sessions knows the token by.
  public var digest: TokenDigest { octets.withBytes { TokenDigest(.of($0)) } }

  /// The secret itself, for the one answer that hands it out.
  public var text: String {
    var text = Self.prefixBytes
    text.reserveCapacity(Self.prefixBytes.count + Base64.Variant.url.textCount)
    Base64.append(octets, .url, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension SessionToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "SessionToken(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
