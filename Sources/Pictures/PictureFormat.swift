/// The formats that are read. All others are refused, whatever libvips knows: what it reads PDF, SVG, or ImageMagick's
/// formats with is not made for files of strangers.
public enum PictureFormat: Sendable, Hashable, CaseIterable {
  case jpeg
  case png
  case webp
  case gif
  /// HEIF with HEVC inside (ISO/IEC 23008-12), as phones make it.
  case heic

  /// The format that a media type names, without parameters and in lower case.
  public init?(mediaType: String) {
    switch mediaType {
    case "image/jpeg", "image/jpg": self = .jpeg
    case "image/png": self = .png
    case "image/webp": self = .webp
    case "image/gif": self = .gif
    case "image/heic", "image/heif": self = .heic
    default: return nil
    }
  }

  /// The format that the first bytes show.
  init?(_ bytes: [UInt8]) {
    func holds(_ mark: StaticString, at start: Int = 0) -> Bool {
      let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
      return bytes.count >= start + mark.count && bytes[start..<start + mark.count].elementsEqual(mark)
    }
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: PNGChunks.signature) {
      self = .png
    } else if holds("RIFF"), holds("WEBP", at: 8) {
      self = .webp
    } else if holds("GIF87a") || holds("GIF89a") {
      self = .gif
    } else if holds("ftyp", at: 4), Self.brands(bytes).contains(where: ["heic", "heix", "heim", "heis"].contains) {
      self = .heic
    } else {
      return nil
    }
  }

  /// The brands of a file of boxes (ISO/IEC 14496-12, §4.3): the major one, and those it is compatible with.
  private static func brands(_ bytes: [UInt8]) -> [String] {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let words = stride(from: 8, to: min(size, bytes.count, 256) - 3, by: 4)
    return words.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
  }
}
