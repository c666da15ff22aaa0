import Testing
import Values

struct DeviceNameTests {
  @Test(arguments: [
    ("Mozilla/5.0 (X11)", "Mozilla/5.0 (X11)"), ("a\r\nb\u{0}c", "a  b c"), ("a\u{202E}b\u{2066}c\u{9B}", "a b c "),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 256)),
    // 127 × 2 + 1 = 255 bytes: the next character of two bytes does not fit.
    ("x" + String(repeating: "é", count: 200), "x" + String(repeating: "é", count: 127)),
  ])
  func `a device name is one line of at most 256 bytes`(userAgent: String, kept: String) {
    #expect(DeviceName(userAgent)?.text == kept)
  }

  @Test(arguments: ["", "   ", "\r\n", "\u{0}"])
  func `a device without a name has none`(userAgent: String) {
    #expect(DeviceName(userAgent) == nil)
  }
}

struct IdempotencyKeyTests {
  @Test(arguments: ["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", "\"quoted key\"", String(repeating: "~", count: 255)])
  func `a key is kept as it was sent`(text: String) throws {
    #expect(try IdempotencyKey(text).text == text)
  }

  @Test(arguments: [
    ("", Fault.Code.tooShort), (String(repeating: "a", count: 256), .tooLong), ("a\tb", .forbiddenCharacter),
    ("a\u{0}", .forbiddenCharacter), ("é", .forbiddenCharacter), ("a\u{7F}", .forbiddenCharacter),
  ])
  func `any other key is refused`(text: String, expected: Fault.Code) {
    #expect(code { () throws(Fault) in try IdempotencyKey(text) } == expected)
  }

  @Test func `keys differ in case`() throws {
    #expect(try IdempotencyKey("a") != IdempotencyKey("A"))
  }
}
