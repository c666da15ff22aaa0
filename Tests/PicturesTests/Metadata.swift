/// What files carry beside their pixels, made by hand.
enum Metadata {
  /// An EXIF block (JEITA CP-3451) with an orientation, the maker of the camera, and a position in Greenwich.
  static func exif(orientation: Int = 1) -> [UInt8] {
    let maker = Array("Planted\0".utf8)
    let ifdSize = 2 + 3 * 12 + 4
    let makerAt = 8 + ifdSize
    let gpsAt = makerAt + maker.count
    let gpsSize = 2 + 4 * 12 + 4
    let latitudeAt = gpsAt + gpsSize
    var tiff = Array("II".utf8) + two(42) + four(8)
    tiff += two(3)
    tiff += entry(0x010f, type: 2, count: maker.count, four(makerAt))
    tiff += entry(0x0112, type: 3, count: 1, two(orientation) + two(0))
    tiff += entry(0x8825, type: 4, count: 1, four(gpsAt))
    tiff += four(0) + maker
    tiff += two(4)
    tiff += entry(1, type: 2, count: 2, Array("N\0\0\0".utf8))
    tiff += entry(2, type: 5, count: 3, four(latitudeAt))
    tiff += entry(3, type: 2, count: 2, Array("W\0\0\0".utf8))
    tiff += entry(4, type: 5, count: 3, four(latitudeAt + 24))
    tiff += four(0)
    for number in [51, 1, 28, 1, 40, 1, 0, 1, 0, 1, 5, 1] { tiff += four(number) }
    return Array("Exif\0\0".utf8) + tiff
  }

  static let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'>Planted</x:xmpmeta>".utf8)

  /// A colour profile.
  static let profile = try! {
    var call = try VipsCall("profile_load", options: "name=srgb")
    try call.run()
    return call.bytes("profile")
  }()

  /// A segment of a JPEG file.
  static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    let size = bytes.count + 2
    return [0xff, marker, UInt8(size >> 8), UInt8(size & 0xff)] + bytes
  }

  /// A chunk of a PNG file.
  static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + bytes
    return four(bytes.count).reversed() + body + four(Int(crc(body))).reversed()
  }

  private static func entry(_ tag: Int, type: Int, count: Int, _ value: [UInt8]) -> [UInt8] {
    two(tag) + two(type) + four(count) + value
  }

  private static func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xff), UInt8(number >> 8 & 0xff)] }
  static func four(_ number: Int) -> [UInt8] { two(number & 0xffff) + two(number >> 16) }

  /// The check sum of W3C PNG, annex D.
  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? 0xedb8_8320 ^ crc >> 1 : crc >> 1 }
    }
  }
}

extension [UInt8] {
  /// A JPEG file with segments behind its first marker.
  func withSegments(_ segments: [UInt8]...) -> [UInt8] { Array(prefix(2)) + segments.joined() + dropFirst(2) }

  /// A PNG file with chunks behind its first one.
  func withChunks(_ chunks: [UInt8]...) -> [UInt8] { Array(prefix(33)) + chunks.joined() + dropFirst(33) }

  func holds(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }

  /// The markers of a JPEG file before its pixels begin; nil when it is none, or does not end with its end marker.
  var markers: [UInt8]? {
    guard starts(with: [0xff, 0xd8]), suffix(2) == [0xff, 0xd9] else { return nil }
    var markers: [UInt8] = []
    var index = 2
    while index + 4 <= count, self[index] == 0xff {
      markers.append(self[index + 1])
      if self[index + 1] == 0xda { return markers }
      index += 2 + Int(self[index + 2]) << 8 + Int(self[index + 3])
    }
    return nil
  }
}
