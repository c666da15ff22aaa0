/// The SHA-256 of a session token's 32 bytes: all that is stored of it.
///
/// A token has 256 random bits, so its plain digest can be neither guessed nor looked up in tables, and needs no salt.
public struct TokenDigest: Hashable, Sendable {
  private let digest: SHA256Digest

  init(_ digest: SHA256Digest) { self.digest = digest }

  /// A stored digest; nil unless there are 32 bytes.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard let digest = SHA256Digest(bytes: bytes) else { return nil }
    self.digest = digest
  }

  /// Lends the 32 bytes, for the call only.
  public func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
    try digest.withBytes(body)
  }

  /// A copy of the 32 bytes.
  public var bytes: [UInt8] { digest.bytes }
}

extension TokenDigest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "TokenDigest(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
