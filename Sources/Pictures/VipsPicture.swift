internal import CVips

/// A picture of libvips. What is made of it keeps what it is made of.
final class VipsPicture {
  private let handle: UnsafeMutablePointer<VipsImage>

  private init(_ handle: UnsafeMutablePointer<VipsImage>) { self.handle = handle }

  deinit { roost_vips_release(handle) }

  typealias Out = UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>

  /// What `make` leaves in its argument; it answers 0 when all is well.
  private static func made(_ make: (Out) -> CInt) throws(PictureFault) -> VipsPicture {
    var out: UnsafeMutablePointer<VipsImage>?
    guard make(&out) == 0, let out else {
      vips_error_clear()
      throw .notAnImage
    }
    return VipsPicture(out)
  }

  /// libvips starts with the first picture, not with the program: it takes some ten megabytes.
  private static let isReady = roost_vips_start() == 0

  /// Reads the header. `bytes` must stay as long as any picture that is made of it.
  ///
  /// `shrink` is 1, 2, 4 or 8: a JPEG decoder leaves the finer detail out, the others do not know it.
  static func load(
    _ bytes: UnsafeRawBufferPointer, _ format: PictureFormat, shrink: Int = 1
  ) throws(PictureFault) -> VipsPicture {
    guard isReady, format.isKnownToVips else { throw .unsupported }
    return try made { out in
      switch format {
      case .jpeg: roost_vips_jpeg(bytes.baseAddress, bytes.count, CInt(shrink), out)
      case .png: roost_vips_png(bytes.baseAddress, bytes.count, out)
      case .webp: roost_vips_webp(bytes.baseAddress, bytes.count, out)
      case .gif: roost_vips_gif(bytes.baseAddress, bytes.count, out)
      case .heic: roost_vips_heif(bytes.baseAddress, bytes.count, out)
      }
    }
  }

  var width: Int { Int(vips_image_get_width(handle)) }
  var height: Int { Int(vips_image_get_height(handle)) }

  /// A moment on libvips' clock, in microseconds.
  static func deadline(afterMilliseconds milliseconds: Int) -> Int64 {
    Int64(g_get_monotonic_time()) + Int64(milliseconds) * 1_000
  }

  /// Makes all work on this picture fail after `deadline`, which must stay. It is looked at between rows of pixels: a
  /// decoder that works on a whole picture in one go is not stopped in the middle.
  func end(at deadline: UnsafePointer<Int64>) {
    roost_vips_end_at(handle, UnsafeRawPointer(deadline).assumingMemoryBound(to: gint64.self))
  }

  /// Upright, at most `side` pixels wide and high, in sRGB, with eight bits for each colour.
  func thumbnail(side: Int) throws(PictureFault) -> VipsPicture {
    let small = try Self.made { roost_vips_thumbnail(handle, CInt(side), $0) }
    return try Self.made { roost_vips_srgb(small.handle, $0) }
  }

  /// On white where it can be looked through.
  func flattened() throws(PictureFault) -> VipsPicture {
    guard vips_image_hasalpha(handle) != 0 else { return self }
    return try Self.made { roost_vips_flatten(handle, $0) }
  }

  /// A JPEG file without any metadata; here the work is done.
  func jpeg(quality: Int) throws(PictureFault) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    guard roost_vips_write_jpeg(handle, CInt(quality), &bytes, &count) == 0, let bytes else {
      vips_error_clear()
      throw .notAnImage
    }
    defer { g_free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

extension PictureFormat {
  /// Whether the library was built with a decoder for it.
  fileprivate var isKnownToVips: Bool {
    switch self {
    case .jpeg: roost_vips_has("jpegload_buffer") != 0
    case .png: roost_vips_has("pngload_buffer") != 0
    case .webp: roost_vips_has("webpload_buffer") != 0
    case .gif: roost_vips_has("gifload_buffer") != 0
    case .heic: roost_vips_has("heifload_buffer") != 0
    }
  }
}
