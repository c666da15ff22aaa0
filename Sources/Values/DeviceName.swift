/// What a client calls itself (`User-Agent`), so that people recognise their sessions: at most 256 bytes of one line.
public struct DeviceName: Hashable, Sendable {
  public static let bytesMax = 256

  public let text: String

  /// Cuts between two characters of Unicode; controls and characters that change the direction of the text become
  /// spaces. Nil when nothing is left.
  public init?(_ userAgent: String) {
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in userAgent.unicodeScalars {
      let replaced = Self.isAllowed(scalar) ? scalar : " "
      bytes += UTF8.width(replaced)
      guard bytes <= Self.bytesMax else { break }
      kept.append(replaced)
    }
    guard kept.contains(where: { !$0.isWhiteSpace }) else { return nil }
    text = String(kept)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
