import Testing

@testable import Pictures

@Suite struct AvatarRefusalTests {
  static func fault(_ bytes: [UInt8], _ format: PictureFormat) -> PictureFault? {
    do throws(PictureFault) {
      _ = try Avatar.make(from: bytes, in: format)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Unsupported

  static let others: [(String, [UInt8])] = [
    ("nothing", []), ("text", Array("hello".utf8)), ("zeros", Array(repeating: 0, count: 4_096)),
    ("SVG", Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect/></svg>".utf8)),
    ("SVG with a declaration", Array("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
    ("PDF", Array("%PDF-1.4\n1 0 obj <<>> endobj".utf8)), ("PostScript", Array("%!PS-Adobe-3.0 EPSF-3.0".utf8)),
    ("TIFF", Array("II*\0".utf8)), ("BMP", Array("BM".utf8)), ("PPM", Array("P6 1 1 255 abc".utf8)),
    ("ImageMagick", Array("push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 'https://example.com'".utf8)),
    ("AVIF", Metadata.four(0x1c00_0000) + Array("ftypavif\0\0\0\0avifmif1miaf".utf8)),
    ("HTML with a picture in it", Array("<html>".utf8) + [0xff, 0xd8, 0xff, 0xe0]),
  ]

  @Test(arguments: others)
  func `other formats are not read at all`(name: String, bytes: [UInt8]) {
    for format in PictureFormat.allCases { #expect(Self.fault(bytes, format) == .unsupported, "\(format)") }
  }

  @Test func `a format under another's name is refused`() throws {
    let png = try Drawing.quarters().file("png")
    let jpeg = try Drawing.quarters().file("jpeg")
    #expect(Self.fault(png, .png) == nil && Self.fault(jpeg, .jpeg) == nil)
    #expect(Self.fault(png, .jpeg) == .unsupported)
    #expect(Self.fault(jpeg, .png) == .unsupported)
    #expect(Self.fault(jpeg, .webp) == .unsupported)
  }

  // MARK: Not an image

  @Test(arguments: AvatarFormatTests.files)
  func `a file that is cut short anywhere is refused`(format: PictureFormat, saver: String, options: String) throws {
    let file = try Drawing.quarters(width: 600, height: 400).file(saver, options: options)
    for part in [0.02, 0.3, 0.6, 0.9] {
      let count = max(16, Int(Double(file.count) * part))
      let fault = Self.fault(Array(file.prefix(count)), format)
      #expect(fault == .notAnImage || (format == .heic && fault == .unsupported), "\(count) of \(file.count) bytes")
    }
  }

  @Test func `a damaged file is refused`() throws {
    var png = try Drawing.quarters().file("png")
    for index in png.count / 2..<png.count / 2 + 40 { png[index] ^= 0x5a }
    #expect(Self.fault(png, .png) == .notAnImage)
    #expect(Self.fault([0xff, 0xd8, 0xff, 0xd9], .jpeg) == .notAnImage)
    #expect(Self.fault([0xff, 0xd8, 0xff, 0xe1, 0, 0, 0xff, 0xd9], .jpeg) == .notAnImage)
    #expect(Self.fault(Array("GIF89a".utf8), .gif) == .notAnImage)
    #expect(Self.fault(Array("RIFF\0\0\0\0WEBP".utf8), .webp) == .notAnImage)
    #expect(Self.fault(PNGChunks.signature, .png) == .notAnImage)
  }

  @Test func `any bytes behind a right beginning are refused, and crash nothing`() throws {
    var random = SystemRandomNumberGenerator()
    for (format, saver, options) in AvatarFormatTests.files {
      let file = try Drawing.quarters(width: 90, height: 60).file(saver, options: options)
      for _ in 0..<60 {
        var bytes = file
        for _ in 0..<Int.random(in: 1...30) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let fault = Self.fault(bytes, format)
        #expect(fault == nil || fault == .notAnImage || fault == .unsupported)
      }
    }
  }

  // MARK: Bombs

  /// A PNG file whose header says this, and whose data is a few bytes.
  static func png(width: Int, height: Int) -> [UInt8] {
    let header = Metadata.four(width).reversed() + Metadata.four(height).reversed() + [8, 2, 0, 0, 0]
    return PNGChunks.signature + Metadata.chunk("IHDR", Array(header))
      + Metadata.chunk("IDAT", [0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1]) + Metadata.chunk("IEND", [])
  }

  @Test(arguments: [(50_000, 50_000), (20_001, 1), (1, 20_001), (7_100, 7_100), (2_000_000_000, 2_000_000_000)])
  func `a picture of too many pixels is refused by its header`(width: Int, height: Int) {
    let start = ContinuousClock.now
    #expect(Self.fault(Self.png(width: width, height: height), .png) == .notAnImage)
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func `a picture may have fifty million pixels, and no more`() throws {
    let sides = (7_000, 7_140)
    let large = Drawing(white: sides.0, sides.1)
    #expect(Self.fault(try large.file("png", options: "bitdepth=1"), .png) == nil)
    let larger = Drawing(white: sides.0, sides.1 + 3)
    #expect(larger.width * larger.height > Avatar.pixelsMax)
    #expect(Self.fault(try larger.file("png", options: "bitdepth=1"), .png) == .notAnImage)
  }

  @Test func `texts that would unpack to gigabytes are dropped before a decoder sees them`() throws {
    let drawing = Drawing.quarters(width: 90, height: 60)
    let text = Metadata.chunk("zTXt", Array("Comment\0\0".utf8) + Array(repeating: 0x41, count: 1_000))
    let bomb = try drawing.file("png").withChunks(text, text, Metadata.chunk("iTXt", []), Metadata.chunk("acTL", []))
    let essence = try #require(PNGChunks.essence(of: bomb))
    #expect(!essence.holds("zTXt") && !essence.holds("iTXt") && !essence.holds("acTL"))
    #expect(essence.holds("IHDR") && essence.holds("IDAT") && essence.suffix(8).starts(with: Array("IEND".utf8)))
    #expect(Self.fault(bomb, .png) == nil)
    let plain = try drawing.file("png")
    let gamma = Metadata.chunk("gAMA", [0, 0, 0xb1, 0x8f])
    let once = try #require(PNGChunks.essence(of: plain.withChunks(gamma)))
    let twice = try #require(PNGChunks.essence(of: plain.withChunks(gamma, gamma)))
    #expect(once == twice && once.holds("gAMA"))
  }

  @Test func `a file that goes over its picture without end is refused`() throws {
    let file = try Drawing.quarters().file("jpeg", options: "interlace=true")
    #expect(JPEGScans.end(of: file) == file.count)
    #expect(JPEGScans.end(of: file + [1, 2, 3]) == file.count)
    let last = try #require(file.indices.last { file[$0] == 0xff && file[$0 + 1 < file.count ? $0 + 1 : $0] == 0xda })
    let scan = Array(file[last..<file.count - 2])
    func longer(by count: Int) -> [UInt8] {
      file.prefix(file.count - 2) + (0..<count).flatMap { _ in scan } + [0xff, 0xd9]
    }
    #expect(JPEGScans.end(of: longer(by: 1)) == file.count + scan.count)
    let endless = longer(by: JPEGScans.scansMax)
    #expect(JPEGScans.end(of: endless) == nil)
    #expect(Self.fault(endless, .jpeg) == .notAnImage)
  }

  @Test(arguments: ["jpeg", "png"])
  func `work that takes too long is ended`(saver: String) throws {
    let file = try Drawing.quarters().file(saver)
    let format: PictureFormat = saver == "jpeg" ? .jpeg : .png
    #expect(throws: PictureFault.notAnImage) { try Avatar.make(from: file, in: format, withinMilliseconds: 0) }
    #expect(try Avatar.make(from: file, in: format, withinMilliseconds: 60_000).isEmpty == false)
  }
}
