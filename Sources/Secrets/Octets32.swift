/// 32 bytes kept inline: a digest or a key without a heap allocation.
struct Octets32: Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  static let count = 32

  /// The body fills all 32 bytes; they are zero before.
  init(filling body: (UnsafeMutablePointer<UInt8>) -> Void) {
    withUnsafeMutablePointer(to: &words) {
      $0.withMemoryRebound(to: UInt8.self, capacity: Self.count, body)
    }
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.count else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
  }

  func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
    try withUnsafeBytes(of: words, body)
  }

  static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}
