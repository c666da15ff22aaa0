import CVips

/// Raw pixels, with 3 bands or 4, row by row.
struct Drawing: Equatable {
  let width: Int
  let height: Int
  let bands: Int
  var bytes: [UInt8]

  init(width: Int, height: Int, bands: Int = 3, _ colour: (_ x: Int, _ y: Int) -> [UInt8]) {
    (self.width, self.height, self.bands) = (width, height, bands)
    bytes = []
    bytes.reserveCapacity(width * height * bands)
    for y in 0..<height { for x in 0..<width { bytes += colour(x, y) } }
  }

  /// Nothing but white, in one band.
  init(white width: Int, _ height: Int) {
    (self.width, self.height, bands) = (width, height, 1)
    bytes = Array(repeating: 255, count: width * height)
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * bands
    return Array(bytes[start..<start + bands])
  }

  /// A quarter each, from the top left: red, green, blue, yellow. No turn and no mirror of it is the same.
  static func quarters(width: Int = 1_200, height: Int = 800) -> Drawing {
    Drawing(width: width, height: height) { x, y in quarterColours[(y * 2 / height) * 2 + x * 2 / width] }
  }

  static let quarterColours: [[UInt8]] = [[220, 20, 20], [20, 200, 20], [20, 20, 220], [220, 220, 20]]

  /// Whether the quarters are where they belong, as far as JPEG leaves them.
  var showsQuarters: Bool { zip(quarters, Self.quarterColours).allSatisfy { $0.isNear($1) } }

  /// The colours in the middle of each quarter.
  var quarters: [[UInt8]] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[width * $0.0 / 4, height * $0.1 / 4] }
  }

  /// The file with these pixels: `jpeg`, `png`, `webp`, `gif` or `heif`; deep: with 16 bits for each colour.
  func file(
    _ format: String, options: String = "", pageHeight: Int? = nil, profile: [UInt8]? = nil, isDeep: Bool = false
  ) throws -> [UInt8] {
    var call = try VipsCall("\(format)save_buffer", options: options)
    let bytes = isDeep ? bytes.flatMap { [$0, $0] } : bytes
    let image = vips_image_new_from_memory_copy(
      bytes, bytes.count, CInt(width), CInt(height), CInt(bands), isDeep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR)!
    defer { roost_vips_release(image) }
    image.pointee.Type = colours(isDeep)
    if let pageHeight { vips_image_set_int(image, "page-height", CInt(pageHeight)) }
    if let profile { vips_image_set_blob_copy(image, "icc-profile-data", profile, profile.count) }
    call.set("in", image: image)
    try call.run()
    return call.bytes("buffer")
  }

  private func colours(_ isDeep: Bool) -> VipsInterpretation {
    if isDeep { return VIPS_INTERPRETATION_RGB16 }
    return bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB
  }

  /// The pixels of a JPEG file.
  init(jpeg: [UInt8]) throws {
    var call = try VipsCall("jpegload_buffer")
    call.set("buffer", bytes: jpeg)
    try call.run()
    let image = call.image("out")
    defer { roost_vips_release(image) }
    var count = 0
    guard let memory = vips_image_write_to_memory(image, &count) else { throw VipsCall.Failed(description: "pixels") }
    defer { g_free(memory) }
    width = Int(vips_image_get_width(image))
    height = Int(vips_image_get_height(image))
    bands = Int(vips_image_get_bands(image))
    bytes = Array(UnsafeRawBufferPointer(start: memory, count: count))
  }
}

extension [UInt8] {
  /// Whether each band differs by 24 at most.
  func isNear(_ other: [UInt8]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { abs(Int($0) - Int($1)) <= 24 }
  }
}
