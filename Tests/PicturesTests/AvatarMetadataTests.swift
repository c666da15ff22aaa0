import Pictures
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct AvatarMetadataTests {
  @Test(arguments: 1...8)
  func `a photo stands upright however the camera was held`(orientation: Int) throws {
    let upright = Drawing.quarters()
    let (width, height) = orientation > 4 ? (800, 1_200) : (1_200, 800)
    // Where a pixel of the picture lies in the file (TIFF 6.0, Orientation).
    let stored = Drawing(width: width, height: height) { x, y in
      switch orientation {
      case 2: upright[width - 1 - x, y]
      case 3: upright[width - 1 - x, height - 1 - y]
      case 4: upright[x, height - 1 - y]
      case 5: upright[y, x]
      case 6: upright[height - 1 - y, x]
      case 7: upright[height - 1 - y, width - 1 - x]
      case 8: upright[y, width - 1 - x]
      default: upright[x, y]
      }
    }
    let exif = Metadata.exif(orientation: orientation)
    let files: [(PictureFormat, [UInt8])] = [
      (.jpeg, try stored.file("jpeg").withSegments(Metadata.segment(0xe1, exif))),
      (.png, try stored.file("png").withChunks(Metadata.chunk("eXIf", Array(exif.dropFirst(6))))),
    ]
    for (format, file) in files {
      let drawing = try Drawing(jpeg: Avatar.make(from: file, in: format))
      #expect([drawing.width, drawing.height] == [512, 341], "\(format)")
      #expect(drawing.showsQuarters, "\(format) \(drawing.quarters)")
    }
  }

  /// A photo of everything that tells more than its pixels.
  static func planted() throws -> [UInt8] {
    let file = try Drawing.quarters().file("jpeg", profile: Metadata.profile).withSegments(
      Metadata.segment(0xe1, Metadata.exif()), Metadata.segment(0xe1, Metadata.xmp),
      Metadata.segment(0xed, Array("Photoshop 3.0\0Planted".utf8)), Metadata.segment(0xef, Array("Planted".utf8)),
      Metadata.segment(0xfe, Array("<script>Planted</script>".utf8)))
    return file + Array("<html>Planted</html>".utf8)
  }

  @Test func `position, camera, texts, colour profile and what follows the picture are gone`() throws {
    let file = try Self.planted()
    #expect(file.markers == nil && file.holds("ICC_PROFILE") && file.holds("Planted"))
    let jpeg = try Avatar.make(from: file, in: .jpeg)
    let markers = try #require(jpeg.markers)
    #expect(Set(markers).isSubset(of: [0xe0, 0xdb, 0xc0, 0xc4, 0xdd, 0xda]))
    for text in ["Planted", "Exif", "xmpmeta", "http", "ICC_PROFILE", "Photoshop", "script", "html"] {
      #expect(!jpeg.holds(text), "\(text)")
    }
    #expect(try Drawing(jpeg: jpeg).showsQuarters)
  }

  @Test func `what is hidden in the other formats is gone too`() throws {
    let png = try Drawing.quarters().file("png").withChunks(
      Metadata.chunk("tEXt", Array("Comment\0Planted".utf8)),
      Metadata.chunk("eXIf", Array(Metadata.exif().dropFirst(6))))
    var webp = try Drawing.quarters().file("webp")
    webp += Array("XMP ".utf8) + Metadata.four(8) + Array("Planted!".utf8)
    webp.replaceSubrange(4..<8, with: Metadata.four(webp.count - 8))
    for (format, file) in [(PictureFormat.png, png), (.webp, webp)] {
      #expect(file.holds("Planted"))
      let jpeg = try Avatar.make(from: file + Array("<html>".utf8), in: format)
      #expect(Set(try #require(jpeg.markers)).isSubset(of: [0xe0, 0xdb, 0xc0, 0xc4, 0xda]))
      #expect(!jpeg.holds("Planted") && !jpeg.holds("Exif") && !jpeg.holds("html"))
    }
  }

  @Test(.enabled(if: Exiftool.isThere))
  func `exiftool finds a position before and none after`() throws {
    let file = try Self.planted()
    let before = try Exiftool.tags(of: file)
    #expect(before.contains { $0.hasPrefix("[GPS]") } && before.contains { $0.contains("Planted") })
    let after = try Exiftool.tags(of: Avatar.make(from: file, in: .jpeg))
    let groups = Set(after.map { $0.prefix { $0 != "]" } })
    #expect(groups.isSubset(of: ["[ExifTool", "[File", "[System", "[Composite", "[JFIF"]), "\(after)")
    #expect(!after.contains { $0.contains("Planted") || $0.contains("Comment") || $0.contains("Warning") })
  }
}

/// A program that knows what may hide in pictures.
enum Exiftool {
  static let isThere = system("command -v exiftool >/dev/null 2>&1") == 0

  /// What it finds, a line for each tag: `[GPS] GPSLatitude : …`.
  static func tags(of file: [UInt8]) throws -> [String] {
    var path = Array("/tmp/roost-picture-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(name) }
    _ = file.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    guard let output = popen("exiftool -a -u -G1 -s \(name)", "r") else { throw VipsCall.Failed(description: "popen") }
    defer { pclose(output) }
    var lines: [String] = []
    var line = [CChar](repeating: 0, count: 4_096)
    while fgets(&line, CInt(line.count), output) != nil {
      lines.append(String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    return lines
  }
}
