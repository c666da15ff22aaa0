/// PNG files of one grey, made by hand and not compressed, so that their size in bytes is about that in pixels.
enum SamplePicture {
  static func png(_ grey: UInt8, side: Int = 64) -> [UInt8] {
    let rows: [UInt8] = (0..<side).flatMap { _ in [0] + [UInt8](repeating: grey, count: side) }
    let header = big(side) + big(side) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", stored(rows))
      + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + bytes
    return big(bytes.count) + body + big(Int(crc(body)))
  }

  /// Stored blocks (RFC 1951, §3.2.4) in the form of RFC 1950.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let count = end - start
      stream.append(end == bytes.count ? 1 : 0)
      for size in [count, ~count] { stream += [UInt8(size & 255), UInt8(size >> 8 & 255)] }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return stream + big(high << 16 | low)
  }

  private static let crcTable: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { crc, _ in crc & 1 == 1 ? 0xedb8_8320 ^ crc >> 1 : crc >> 1 }
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in crcTable[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8 }
  }

  private static func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
}
