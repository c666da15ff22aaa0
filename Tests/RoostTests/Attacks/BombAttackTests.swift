import RoostAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Few bytes that would become many, or take long.
@Suite(.onThreads) struct BombAttackTests {
  private static func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) } }
  private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(number >> ($0 * 8) & 0xff) }
  }

  /// The headers of pictures of the greatest sides that each format knows, and an animation of very many frames.
  static let pictures: [(type: String, bytes: [UInt8])] = {
    let ihdr = Array("IHDR".utf8) + big(0x7fff_ffff) + big(0x7fff_ffff) + [16, 6, 0, 0, 0]
    let png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + big(13) + ihdr + big(Int(SamplePicture.crc(ihdr)))
    let screen = Array("GIF89a".utf8) + little(65_535, 2) + little(65_535, 2) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let frame: [UInt8] = [0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0] + [1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let wide: [UInt8] = [0x2c, 0, 0, 0, 0] + [255, 255, 255, 255, 0, 2, 2, 0x44, 1, 0, 0x3b]
    let gif = screen + Array(repeatElement(frame, count: 50_000).joined()) + [0x3b]
    let vp8l = Array("VP8L".utf8) + little(5, 4) + [0x2f, 0xff, 0xff, 0xff, 0x0f, 0]
    let webp = Array("RIFF".utf8) + little(4 + vp8l.count, 4) + Array("WEBP".utf8) + vp8l
    let vp8x = Array("VP8X".utf8) + little(10, 4) + [2, 0, 0, 0] + little(0xff_ffff, 3) + little(0xff_ffff, 3)
    let extended = Array("RIFF".utf8) + little(4 + vp8x.count, 4) + Array("WEBP".utf8) + vp8x
    let sof: [UInt8] = [0xff, 0xc2, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3, 1, 0x44, 0, 2, 0x11, 0, 3, 0x11, 0]
    let sos: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
    let jpeg = [0xff, 0xd8] + sof + Array(repeatElement(sos, count: 20_000).joined()) + [0xff, 0xd9]
    return [
      ("image/png", png), ("image/gif", screen + wide), ("image/gif", gif), ("image/webp", webp),
      ("image/webp", extended), ("image/jpeg", jpeg),
    ]
  }()

  @Test func `pictures that would unpack to gigabytes take neither memory nor time`() throws {
    let siege = try Siege(["LIMIT_AVATAR_ACCOUNT": "0"])
    try siege.attacked(withinMiB: 160) {
      for (type, bytes) in Self.pictures {
        for _ in 0..<(Siege.isFull ? 20 : 2) {
          let start = ContinuousClock.now
          let answer = try siege.ada.upload(bytes, type: type)
          // Of the animation the first frame may be taken; all else is none.
          #expect(answer.status == 422 || answer.status == 200, "\(type): \(answer)")
          if answer.status == 422 { try answer.problem(.notAnImage) }
          #expect(ContinuousClock.now - start < .seconds(5), "\(type), \(bytes.count) bytes")
        }
      }
      let picture = SamplePicture.png(80, side: 2_000)
      let answers = try atOnce(12) { index in
        let isGIF = index.isMultiple(of: 2)
        return try siege.ada.upload(isGIF ? Self.pictures[2].bytes : picture, type: isGIF ? "image/gif" : "image/png")
      }
      #expect(Set(answers.map(\.status)).isSubset(of: [200, 422, 503]), "\(answers.map(\.status).counted)")
    }
  }

  @Test func `a body that is packed is refused and not unpacked`() throws {
    let siege = try Siege()
    // A mebibyte of zeros in 1 KiB, by gzip; what it holds is not looked at.
    let gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 1_024)
    try siege.attacked(withinMiB: 16) {
      for coding in ["gzip", "deflate", "br", "zstd", "GZIP", "gzip, identity", "identity, gzip", "x", ""] {
        for body in [gzip, Array(#"{"text":"a"}"#.utf8)] {
          let answer = try siege.ada.post("/v1/tweets", json: body, headers: [("Content-Encoding", coding)])
          try answer.problem(.unsupportedMediaType)
          #expect(answer["Accept-Encoding"] == "identity")
        }
        let upload = try siege.ada.send(
          "PUT", "/v1/me/avatar", headers: [("Content-Type", "image/png"), ("Content-Encoding", coding)],
          body: AvatarTests.png)
        try upload.problem(.unsupportedMediaType)
      }
      let plain = [("Content-Encoding", "Identity")]
      try siege.ada.post("/v1/tweets", json: #"{"text":"a"}"#, headers: plain).expect(201)
    }
    #expect(try siege.ada.me().decoded(Account.self).tweets == 1)
    #expect(try siege.ada.me().decoded(Account.self).profileImageURL == nil)
  }

  /// Documents of 64 KiB, each as bad as it gets for some parser.
  static let documents: [String] = {
    let room = 64_000
    func keys(_ key: (Int) -> String) -> String {
      var text = #"{"text":"a""#
      var index = 0
      while text.utf8.count < room {
        text += ",\"\(key(index))\":0"
        index += 1
      }
      return text + "}"
    }
    return [
      String(repeating: "[", count: room), String(repeating: #"{"a":"#, count: room / 5),
      #"{"text":"# + String(repeating: "[", count: 31) + String(repeating: "0,", count: room / 2),
      #"{"text":"a","n":"# + String(repeating: "9", count: room) + "}",
      #"{"text":"a","n":1e"# + String(repeating: "9", count: room) + "}",
      #"{"text":"a","n":0."# + String(repeating: "0", count: room) + "1}",
      #"{"text":"a","n":["# + String(repeating: "1e308,", count: room / 6) + "1]}",
      #"{"text":""# + String(repeating: #"\u0301"#, count: room / 6) + "\"}",
      #"{"text":""# + String(repeating: "\u{316}\u{301}", count: room / 4) + "\"}",
      #"{"text":""# + String(repeating: #"\ud83d\udc68\u200d"#, count: room / 18) + "\"}",
      #"{"text":""# + String(repeating: #"\\"#, count: room / 2) + "\"}",
      String(repeating: " ", count: room), #"{"text":"a""# + String(repeating: " ", count: room) + "}",
      keys { String($0, radix: 36) }, keys { "a\($0 % 10)" },
      // The same bytes in another order, which a weak hash does not tell apart.
      keys { index in (0..<14).map { index >> $0 & 1 == 0 ? "Aa" : "BB" }.joined() },
    ]
  }()

  @Test func `documents that parsers choke on are answered within their size`() throws {
    let siege = try Siege(["LIMIT_TWEETS_ACCOUNT": "0"])
    try siege.attacked(withinMiB: 16) {
      for document in Self.documents {
        for (method, path) in [
          ("POST", "/v1/tweets"), ("PATCH", "/v1/me"), ("POST", "/v1/login"), ("POST", "/v1/register"),
        ] {
          let start = ContinuousClock.now
          let answer = try siege.ada.send(
            method, path, headers: [("Content-Type", "application/json")], body: Array(document.utf8))
          let time = ContinuousClock.now - start
          #expect((200..<500).contains(answer.status), "\(document.prefix(40)): \(answer)")
          // In a build for debugging; the parsers' own time is a tenth of it.
          #expect(time < .seconds(1), "\(method) \(path) \(document.prefix(40)): \(time)")
        }
      }
    }
  }
}
