import HTTP
import RoostAPI
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct JSONWriterTests {
  @Test func `a document of every kind of value is written as it is read aloud`() {
    var json = JSONWriter()
    json.object { json in
      json.field("text", "Ada")
      json.field("nothing", nil as String?)
      json.field("number", -42)
      json.field("yes", true)
      json.field("no", false)
      json.time("at", microsecondsSinceEpoch: 1_796_030_100_123_999)
      json.plain("id") { $0 += Array("0190-7a".utf8) }
      json.object("empty") { _ in }
      json.array("none") { _ in }
      json.array("many") { json in
        json.value("a")
        json.value(nil as String?)
        json.value(7)
        json.value(true)
        json.time(microsecondsSinceEpoch: -1)
        json.plain { $0 += Array("b".utf8) }
        json.array { $0.value(1) }
        json.object { $0.field("last", 1) }
      }
      json.key("after")
      json.value("all")
    }
    #expect(
      text(json) == #"{"text":"Ada","nothing":null,"number":-42,"yes":true,"no":false,"#
        + #""at":"2026-11-30T09:15:00.123Z","id":"0190-7a","empty":{},"none":[],"#
        + #""many":["a",null,7,true,"1969-12-31T23:59:59.999Z","b",[1],{"last":1}],"after":"all"}"#)
  }

  @Test(arguments: [
    ("", #""""#),
    ("plain", #""plain""#),
    (#"say "hi""#, #""say \"hi\"""#),
    (#"C:\temp"#, #""C:\\temp""#),
    ("a\nb\rc\td", #""a\nb\rc\td""#),
    ("\u{0}\u{1}\u{8}\u{b}\u{f}\u{10}\u{1a}\u{1f}", #""\u0000\u0001\u0008\u000b\u000f\u0010\u001a\u001f""#),
    ("</script>\u{7f}\u{2028}", "\"</script>\u{7f}\u{2028}\""),
    ("Zoë 日本 👩‍🚀", #""Zoë 日本 👩‍🚀""#),
    (String(repeating: "\"", count: 20), "\"" + String(repeating: #"\""#, count: 20) + "\""),
  ])
  func `only what JSON forbids is escaped`(plain: String, written: String) {
    var json = JSONWriter()
    json.value(plain)
    #expect(text(json) == written)
    var copied = plain
    var same = JSONWriter()
    copied.withUTF8 { same.value(utf8: $0) }
    #expect(text(same) == written)
  }

  /// Bytes are looked at eight at a time, so each of the positions and each of the neighbours must be right.
  @Test func `every byte that needs it is escaped at every position, and no other one`() throws {
    let decoder = JSONDecoder()
    for scalar in (0..<0x180).compactMap(Unicode.Scalar.init) {
      for position in 0..<20 {
        let (before, after) = (String(repeating: "x", count: position), String(repeating: "ÿ", count: 19 - position))
        let plain = before + String(Character(scalar)) + after
        var json = JSONWriter()
        json.array { $0.value(plain) }
        let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        try #require(json.bytes.contains(UInt8(ascii: "\\")) == mustEscape, "\(scalar.value) at \(position)")
        try #require(try decoder.decode([String].self, from: Data(json.bytes)) == [plain])
      }
    }
  }

  @Test(arguments: [0, 1, 9, 10, 99, 100, -1, 1_234_567_890, .max, .min])
  func `numbers are written in full`(number: Int) {
    var json = JSONWriter()
    json.value(number)
    #expect(text(json) == String(number))
  }

  @Test func `text in memory and nil are written alike as fields`() {
    var json = JSONWriter()
    let bytes = Array("déjà".utf8)
    json.object { json in
      bytes.withUnsafeBufferPointer { json.field("a", utf8: $0) }
      json.field("b", utf8: nil)
    }
    #expect(text(json) == #"{"a":"déjà","b":null}"#)
  }

  @Test func `an answer is read back by the client as the same values`() throws {
    var json = JSONWriter(capacity: 16)
    json.object { json in
      json.array("items") { json in
        for number in 1...3 {
          json.object { json in
            json.field("id", "t\(number)")
            json.field("text", "line\n\"\(number)\" \u{1}")
            json.time("createdAt", microsecondsSinceEpoch: 1_796_030_100_123_456)
            json.object("author") { json in
              json.field("id", "a")
              json.field("username", "ada")
              json.field("fullName", number == 1 ? "Ada L." : nil)
              json.field("profileImageURL", nil as String?)
            }
            json.field("likes", number)
            json.field("likedByMe", number == 2)
          }
        }
      }
      json.field("next", "t3")
    }
    let page = try JSONDecoder.roost.decode(Page<Tweet>.self, from: Data(json.bytes))
    #expect(page.next == "t3")
    #expect(page.items.map(\.id) == ["t1", "t2", "t3"])
    #expect(page.items.map(\.text) == (1...3).map { "line\n\"\($0)\" \u{1}" })
    #expect(page.items.map(\.likes) == [1, 2, 3])
    #expect(page.items.map(\.likedByMe) == [false, true, false])
    #expect(page.items.map(\.author.fullName) == ["Ada L.", nil, nil])
    #expect(page.items[0].createdAt == Date(timeIntervalSince1970: 1_796_030_100.123))
  }
}

private func text(_ json: JSONWriter) -> String {
  String(decoding: json.bytes, as: UTF8.self)
}
