/// The structure of a JPEG file (ITU-T T.81, annex B), as far as it must be known before a decoder sees the file.
///
/// A progressive file may go over its picture again and again in scans of a few bytes each, and a decoder goes with it:
/// ten megabytes could keep it busy for hours.
enum JPEGScans {
  /// More than any encoder makes.
  static let scansMax = 32

  /// Where the picture ends; what follows is none of it. Nil: it does not end, or has too many scans.
  static func end(of bytes: [UInt8]) -> Int? {
    var index = 2
    var scans = 0
    while let marker = next(in: bytes, &index) {
      switch marker {
      case endOfImage: return index
      case 0x01, restarts, startOfImage: continue
      default:
        guard index + 2 <= bytes.count else { return nil }
        let size = Int(bytes[index]) << 8 | Int(bytes[index + 1])
        guard size >= 2 else { return nil }
        index += size
        if marker == startOfScan { scans += 1 }
        if scans > scansMax { return nil }
      }
    }
    return nil
  }

  private static let startOfImage: UInt8 = 0xd8
  private static let endOfImage: UInt8 = 0xd9
  private static let startOfScan: UInt8 = 0xda
  private static let restarts: ClosedRange<UInt8> = 0xd0...0xd7

  /// The next marker, past what is compressed: there each 0xff is followed by 0.
  private static func next(in bytes: [UInt8], _ index: inout Int) -> UInt8? {
    bytes.withUnsafeBufferPointer { bytes in
      while index + 1 < bytes.count {
        defer { index += 1 }
        guard bytes[index] == 0xff, bytes[index + 1] != 0, bytes[index + 1] != 0xff else { continue }
        index += 1
        return bytes[index]
      }
      return nil
    }
  }
}
