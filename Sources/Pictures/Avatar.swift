/// Makes profile photos of what strangers send.
///
/// Nothing of the file itself survives: its pixels are turned upright, shrunk, put on white and encoded anew, so that
/// positions, cameras, comments, colour profiles, and whatever else was hidden in it are gone.
public enum Avatar {
  /// Photos fit into a square of so many pixels; smaller ones stay as they are.
  public static let side = 512
  /// Of JPEG, 1 to 100.
  static let quality = 85
  /// The longest photo that comes out. A square of noise has a third of it.
  public static let jpegBytesMax = 512 * 1_024
  /// The most pixels that a file may have: the cameras of phones have as many. Decoders need up to eight bytes for each.
  public static let pixelsMax = 50_000_000
  public static let widthOrHeightMax = 20_000
  /// The longest that the work on one file takes, as far as a decoder can be stopped.
  static let millisecondsMax = 10_000

  /// The photo that the bytes become, as a JPEG file. Of an animation it is the first picture.
  ///
  /// Blocks and computes, about a second for the largest files: it belongs on a crew.
  /// - Parameter format: what the sender says it is.
  public static func make(from bytes: [UInt8], in format: PictureFormat) throws(PictureFault) -> [UInt8] {
    try make(from: bytes, in: format, withinMilliseconds: millisecondsMax)
  }

  static func make(
    from bytes: [UInt8], in format: PictureFormat, withinMilliseconds milliseconds: Int
  ) throws(PictureFault) -> [UInt8] {
    guard PictureFormat(bytes) == format else { throw .unsupported }
    let picture = try essence(of: bytes, format)
    var deadline = VipsPicture.deadline(afterMilliseconds: milliseconds)
    let made = withUnsafePointer(to: &deadline) { deadline in
      picture.withUnsafeBytes { bytes in
        Result { () throws(PictureFault) in
          let source = try load(bytes, format)
          source.end(at: deadline)
          return try source.thumbnail(side: side).flattened().jpeg(quality: quality)
        }
      }
    }
    let jpeg = try made.get()
    guard jpeg.count <= jpegBytesMax else { throw .notAnImage }
    return jpeg
  }

  /// The part of the file that is the picture.
  private static func essence(of bytes: [UInt8], _ format: PictureFormat) throws(PictureFault) -> ArraySlice<UInt8> {
    let essence: ArraySlice<UInt8>? =
      switch format {
      case .jpeg: JPEGScans.end(of: bytes).flatMap { $0 <= bytes.count ? bytes[..<$0] : nil }
      case .png: PNGChunks.essence(of: bytes)?[...]
      case .webp, .gif, .heic: bytes[...]
      }
    guard let essence else { throw .notAnImage }
    return essence
  }

  /// Reads the header, and goes no further when it promises too much.
  private static func load(
    _ bytes: UnsafeRawBufferPointer, _ format: PictureFormat
  ) throws(PictureFault) -> VipsPicture {
    let source = try VipsPicture.load(bytes, format)
    let (width, height) = (source.width, source.height)
    guard max(width, height) <= widthOrHeightMax, width * height <= pixelsMax else { throw .notAnImage }
    // libvips rounds down: of a side that is shrunk to nothing it would end the program.
    let shrink = [8, 4, 2].first { max(width, height) / $0 >= 2 * side && min(width, height) / $0 >= 1 }
    guard format == .jpeg, let shrink else { return source }
    return try VipsPicture.load(bytes, format, shrink: shrink)
  }
}
