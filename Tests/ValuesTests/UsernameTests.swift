import Testing
import Values

struct UsernameTests {
  @Test(arguments: [
    ("ada", "ada"), ("Ada.Lovelace", "ada.lovelace"), ("X_1", "x_1"), ("007", "007"), ("a__b", "a__b"),
    ("abc_", "abc_"),
    (String(repeating: "Z", count: 30), String(repeating: "z", count: 30)),
  ])
  func `a username is folded to lower case`(text: String, folded: String) throws {
    #expect(try Username(text).text == folded)
    #expect(try Username(existing: text).text == folded)
  }

  @Test(arguments: [
    ("", Fault.Code.tooShort), ("ab", .tooShort), (String(repeating: "a", count: 31), .tooLong),
    (String(repeating: "a", count: 60_000), .tooLong), ("_ada", .malformed), (".ada", .malformed), ("ada.", .malformed),
    ("a..b", .malformed), ("ada lovelace", .forbiddenCharacter), (" ada", .forbiddenCharacter),
    ("ada\n", .forbiddenCharacter), ("ada\u{0}", .forbiddenCharacter), ("ada-l", .forbiddenCharacter),
    ("ada@b", .forbiddenCharacter), ("adé", .forbiddenCharacter), ("аda", .forbiddenCharacter),
    ("\u{212A}elvin", .forbiddenCharacter), ("ａｄａ", .forbiddenCharacter), ("İnan", .forbiddenCharacter),
    ("a/../b", .forbiddenCharacter), ("admin", .reserved), ("ADMIN", .reserved), ("openapi.json", .reserved),
  ])
  func `a username out of its form is refused`(text: String, expected: Fault.Code) {
    #expect(code { () throws(Fault) in try Username(text) } == expected)
  }

  @Test func `two usernames that differ in case are one`() throws {
    #expect(try Username("Grace") == Username("gRACE"))
    #expect(try Username("grace") != Username("grace_"))
  }

  @Test func `a name reserved after it was taken still finds its account`() throws {
    #expect(try Username(existing: "Admin").text == "admin")
    #expect(code { () throws(Fault) in try Username(existing: "a..b") } == .malformed)
  }

  @Test(arguments: Username.reserved.sorted())
  func `every reserved name could be a username otherwise`(name: String) throws {
    #expect(try Username(existing: name).text == name)
  }
}
