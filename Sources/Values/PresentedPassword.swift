/// A password somebody presents to prove who they are: in Unicode form C, under no policy.
///
/// The policy may have changed since the password was chosen, so a log-in never checks it.
public struct PresentedPassword: Sendable {
  public static let bytesMax = 1024

  let normalized: [UInt8]

  /// Nil for more than 1,024 bytes after normalisation: no such password exists, so the log-in fails without hashing.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax * NFC.growthMax else { return nil }
    let normalized = NFC.bytes(of: text)
    guard normalized.count <= Self.bytesMax else { return nil }
    self.normalized = normalized
  }

  /// The bytes to hash.
  public func withBytes<Answer>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Answer) rethrows -> Answer {
    try normalized.withUnsafeBufferPointer(body)
  }
}

extension PresentedPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "PresentedPassword(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
