import Pictures
import Testing

@Suite struct AvatarFormatTests {
  static let files: [(PictureFormat, String, String)] = [
    (.jpeg, "jpeg", "Q=90"), (.jpeg, "jpeg", "Q=90,interlace=true"), (.png, "png", ""), (.png, "png", "interlace=true"),
    (.png, "png", "palette=true"), (.webp, "webp", "Q=90"), (.webp, "webp", "lossless=true"), (.gif, "gif", ""),
    (.heic, "heif", "compression=hevc,Q=80"),
  ]

  @Test(arguments: files)
  func `each format becomes a small JPEG`(format: PictureFormat, saver: String, options: String) throws {
    let jpeg = try Avatar.make(from: Drawing.quarters().file(saver, options: options), in: format)
    let drawing = try Drawing(jpeg: jpeg)
    #expect(drawing.width == 512 && drawing.height == 341 && drawing.bands == 3)
    #expect(drawing.showsQuarters, "\(drawing.quarters)")
    #expect(jpeg.count < 20_000)
  }

  @Test(arguments: [
    (1_024, 1_024, 512, 512), (600, 1_200, 256, 512), (512, 512, 512, 512), (511, 100, 511, 100), (40, 24, 40, 24),
    (20_000, 1, 512, 1), (3, 5_000, 1, 512), (1, 1, 1, 1),
  ])
  func `a photo fits into the square, and a small one is not made larger`(
    width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws {
    for (format, saver) in [(PictureFormat.jpeg, "jpeg"), (.png, "png")] {
      let file = try Drawing(width: width, height: height) { _, _ in [90, 120, 200] }.file(saver)
      let drawing = try Drawing(jpeg: Avatar.make(from: file, in: format))
      #expect([drawing.width, drawing.height] == [newWidth, newHeight])
      #expect(drawing[newWidth / 2, newHeight / 2].isNear([90, 120, 200]))
    }
  }

  @Test(arguments: [(PictureFormat.png, "png", ""), (.webp, "webp", "lossless=true"), (.gif, "gif", "")])
  func `what can be looked through lies on white`(format: PictureFormat, saver: String, options: String) throws {
    let file = try Drawing(width: 64, height: 64, bands: 4) { x, _ in x < 32 ? [10, 10, 10, 0] : [10, 20, 200, 255] }
      .file(saver, options: options)
    let drawing = try Drawing(jpeg: Avatar.make(from: file, in: format))
    #expect(drawing.bands == 3)
    #expect(drawing[8, 32].isNear([255, 255, 255]))
    #expect(drawing[56, 32].isNear([10, 20, 200]))
  }

  @Test(arguments: [(PictureFormat.gif, "gif", ""), (.webp, "webp", "lossless=true")])
  func `of an animation the first picture is taken`(format: PictureFormat, saver: String, options: String) throws {
    let frames = Drawing(width: 32, height: 96) { _, y in y < 32 ? [200, 20, 20] : [20, 20, 200] }
    let drawing = try Drawing(jpeg: Avatar.make(from: frames.file(saver, options: options, pageHeight: 32), in: format))
    #expect([drawing.width, drawing.height] == [32, 32])
    #expect(drawing[16, 16].isNear([200, 20, 20]))
    #expect(drawing[16, 30].isNear([200, 20, 20]))
  }

  @Test func `grey becomes colour, and sixteen bits eight`() throws {
    let grey = Drawing(width: 32, height: 32, bands: 1) { _, _ in [130] }
    for options in ["", "bitdepth=1"] {
      let drawing = try Drawing(jpeg: Avatar.make(from: grey.file("png", options: options), in: .png))
      #expect(drawing.bands == 3)
      #expect(drawing[16, 16].isNear(options.isEmpty ? [130, 130, 130] : [255, 255, 255]))
    }
    let deep = Drawing(width: 32, height: 32) { _, _ in [40, 130, 220] }
    let drawing = try Drawing(jpeg: Avatar.make(from: deep.file("png", isDeep: true), in: .png))
    #expect(drawing[9, 9].isNear([40, 130, 220]))
  }

  @Test func `even noise stays below the largest photo`() throws {
    var random = SystemRandomNumberGenerator()
    let noise = Drawing(width: 512, height: 512) { _, _ in
      (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    #expect(try Avatar.make(from: noise.file("png"), in: .png).count < Avatar.jpegBytesMax)
  }

  @Test func `the same file gives the same photo, on many threads too`() async throws {
    let file = try Drawing.quarters().file("jpeg")
    let photos = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<12 { group.addTask { try Avatar.make(from: file, in: .jpeg) } }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(photos.count == 1)
  }

  @Test func `media types name formats, and no others`() {
    #expect(PictureFormat(mediaType: "image/jpeg") == .jpeg)
    #expect(PictureFormat(mediaType: "image/heif") == .heic)
    for type in ["image/svg+xml", "image/avif", "image/tiff", "image/*", "application/pdf", "", "image/JPEG"] {
      #expect(PictureFormat(mediaType: type) == nil)
    }
  }
}
