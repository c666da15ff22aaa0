import Testing
import Values

struct EmailAddressTests {
  private static let local64 = String(repeating: "l", count: 64)
  private static let label63 = String(repeating: "d", count: 63)
  /// 64 + 1 + 63 + 1 + 63 + 1 + 61 = 254.
  private static let bytes254 = "\(local64)@\(label63).\(label63).\(String(repeating: "e", count: 61))"

  @Test(arguments: [
    "ada@example.com", "Ada.Lovelace+tag@Example.COM", "a@b.co", "x!#$%&'*+-/=?^_`{|}~@example.com", "1@1.example",
    "a@x--y.example", "a@xn--bcher-kva.example", "\(local64)@example.com", "a@\(label63).com", bytes254,
  ])
  func `an address keeps its bytes and compares in lower case`(text: String) throws {
    let address = try EmailAddress(text)
    #expect(address.stored == text)
    #expect(address.folded == text.lowercased())
  }

  @Test(arguments: [
    ("", Fault.Code.malformed), ("ada", .malformed), ("@example.com", .malformed), ("ada@", .malformed),
    ("ada@example", .malformed), ("ada@@example.com", .malformed), ("a@b@example.com", .malformed),
    ("ada@.example.com", .malformed), ("ada@example.com.", .malformed), ("ada@example..com", .malformed),
    (".ada@example.com", .malformed), ("ada.@example.com", .malformed), ("a..da@example.com", .malformed),
    ("ada@-example.com", .malformed), ("ada@example-.com", .malformed), ("ada@exam_ple.com", .malformed),
    ("\"ada\"@example.com", .malformed), ("a da@example.com", .malformed), ("ada@192.0.2.1", .malformed),
    ("ada@[192.0.2.1]", .malformed), ("Ada <ada@example.com>", .malformed),
    ("ada@example.com,b@example.com", .malformed),
    (" ada@example.com", .malformed), ("ada@example.com ", .malformed), ("ada@example.com\n", .malformed),
    ("ada@example.com\r\nBcc: b@example.com", .malformed), ("ada\u{0}@example.com", .malformed),
    ("ada\u{7F}@example.com", .malformed), ("adé@example.com", .forbiddenCharacter),
    ("ada@exämple.com", .forbiddenCharacter), ("ada@\u{212A}elvin.com", .forbiddenCharacter),
    ("\(local64)l@example.com", .tooLong), ("a@\(label63)d.com", .malformed), (bytes254 + "e", .tooLong),
    (String(repeating: "@", count: 60_000), .tooLong),
  ])
  func `anything but one plain address is refused`(text: String, expected: Fault.Code) {
    #expect(code { () throws(Fault) in try EmailAddress(text) } == expected)
  }

  @Test func `white space around an address is named as the mistake`() {
    let fault = #expect(throws: Fault.self) { try EmailAddress("ada@example.com\t") }
    #expect(fault?.message == "Remove the white space around the address.")
  }

  @Test func `addresses that differ in case are one and plus tags are distinct`() throws {
    #expect(try EmailAddress("ADA@example.com") == EmailAddress("ada@EXAMPLE.com"))
    #expect(try EmailAddress("ADA@example.com").hashValue == EmailAddress("ada@EXAMPLE.com").hashValue)
    #expect(try EmailAddress("ada+1@example.com") != EmailAddress("ada@example.com"))
    #expect(try EmailAddress("a.da@example.com") != EmailAddress("ada@example.com"))
  }

  @Test func `the local part is folded`() throws {
    #expect(try EmailAddress("Ada+X@Example.com").localPart == "ada+x")
  }
}
