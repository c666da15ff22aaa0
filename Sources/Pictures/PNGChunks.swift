/// The chunks of a PNG file (W3C PNG, third edition, §5), as far as a picture needs them.
///
/// Texts are compressed a thousandfold if somebody wants it, and a decoder unpacks them all: ten megabytes could become
/// gigabytes. So a decoder sees no chunk but those that the picture is drawn with.
enum PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Those of the picture, its colours and its orientation; each of the last six once.
  private static let needed = ["IHDR", "PLTE", "IDAT", "IEND"]
  private static let useful = ["tRNS", "cHRM", "gAMA", "sRGB", "iCCP", "eXIf"]

  /// The file with these chunks alone, up to its end. Nil when it does not end.
  static func essence(of bytes: [UInt8]) -> [UInt8]? {
    var essence = signature
    essence.reserveCapacity(bytes.count)
    var seen: Set<String> = []
    var index = signature.count
    while index + 12 <= bytes.count {
      let size = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = index + 12 + size
      guard end <= bytes.count else { return nil }
      let type = String(decoding: bytes[index + 4..<index + 8], as: UTF8.self)
      if needed.contains(type) || useful.contains(type) && seen.insert(type).inserted {
        essence += bytes[index..<end]
      }
      if type == "IEND" { return essence }
      index = end
    }
    return nil
  }
}
