import Testing
import Values

struct ProseTests {
  private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"

  @Test(arguments: [
    ("hello", "hello"), ("  hello \n", "hello"), ("\u{3000}\u{A0}hi\u{2003}", "hi"), ("a\nb", "a\nb"),
    ("a\r\nb\r\n\r\nc", "a\nb\n\nc"), ("e\u{301}", "e\u{301}"), ("שלום \u{200F}!", "שלום \u{200F}!"), (family, family),
    ("a\u{2028}b", "a\u{2028}b"), ("a\u{200B}", "a\u{200B}"),
    (String(repeating: "x", count: 280), String(repeating: "x", count: 280)),
    (String(repeating: "\u{1F600}", count: 280), String(repeating: "\u{1F600}", count: 280)),
    (String(repeating: " ", count: 60_000) + "x", "x"),
  ])
  func `a tweet is trimmed and else kept as it was sent`(text: String, kept: String) throws {
    #expect(Array(try TweetText(text).text.utf8) == Array(kept.utf8))
  }

  @Test(arguments: [
    ("", Fault.Code.tooShort), (" \n\t", .tooShort), ("\u{200B}\u{200D}\u{FEFF}", .tooShort),
    ("\u{2060}\u{AD}\u{3164} \u{E0001}", .tooShort), (String(repeating: " ", count: 60_000), .tooShort),
    (String(repeating: "x", count: 281), .tooLong), (String(repeating: "x", count: 60_000), .tooLong),
    ("a" + String(repeating: "\u{301}", count: 560), .tooLong), (String(repeating: family, count: 63), .tooLong),
    (String(repeating: "\u{200B}", count: 20_000), .tooLong),
    ("a\u{0}b", .forbiddenCharacter), ("\u{0}", .forbiddenCharacter), ("a\tb", .forbiddenCharacter),
    ("a\rb", .forbiddenCharacter), ("a\u{1B}[31mb", .forbiddenCharacter), ("a\u{7F}", .forbiddenCharacter),
    ("a\u{9B}b", .forbiddenCharacter), ("a\u{202E}b", .forbiddenCharacter), ("a\u{202A}b", .forbiddenCharacter),
    ("a\u{2066}b", .forbiddenCharacter), ("a\u{2069}b", .forbiddenCharacter), ("a\u{85}b", .forbiddenCharacter),
  ])
  func `a tweet out of its rule is refused`(text: String, expected: Fault.Code) {
    #expect(code { () throws(Fault) in try TweetText(text) } == expected)
  }

  @Test func `one giant cluster passes only within its bytes`() throws {
    // One cluster of 1 + 2 × 559 = 1,119 bytes; 1,121 are refused above.
    let giant = "a" + String(repeating: "\u{301}", count: 559)
    #expect(try TweetText(giant).text.utf8.count == 1119)
  }

  @Test func `all of Unicode's white space is trimmed and nothing else`() {
    let wrong = (UInt32(0x20)...0x10FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
      guard let kept = (try? TweetText("\(scalar)x\(scalar)"))?.text else { return false }
      return (kept == "x") != scalar.properties.isWhitespace
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a bio holds 160 characters and line feeds`() throws {
    #expect(try Bio(" a\r\nb ")?.text == "a\nb")
    #expect(try Bio(String(repeating: "x", count: 160))?.text.count == 160)
    #expect(code { () throws(Fault) in try Bio(String(repeating: "x", count: 161)) } == .tooLong)
    #expect(code { () throws(Fault) in try Bio("a\u{2067}") } == .forbiddenCharacter)
  }

  @Test func `a full name holds 50 characters`() throws {
    #expect(try FullName("  Ada  Lovelace ")?.text == "Ada  Lovelace")
    #expect(try FullName(String(repeating: "x", count: 50))?.text.count == 50)
    #expect(code { () throws(Fault) in try FullName(String(repeating: "x", count: 51)) } == .tooLong)
  }

  @Test(arguments: ["a\nb", "a\r\nb", "a\u{2028}b", "a\u{2029}b", "a\u{85}b", "a\u{0}", "a\u{202E}b", "a\tb"])
  func `a full name is one line without controls`(text: String) {
    #expect(code { () throws(Fault) in try FullName(text) } == .forbiddenCharacter)
  }

  @Test(arguments: ["", "  ", "\u{200B}", "\n", "\u{3164}"])
  func `a text in which nothing can be seen clears the name and the bio`(text: String) throws {
    #expect(try FullName(text) == nil)
    #expect(try Bio(text) == nil)
  }
}
