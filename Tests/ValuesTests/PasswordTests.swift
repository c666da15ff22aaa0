import Testing
import Values

struct PasswordTests {
  private func password(
    _ text: String, lengthMin: Int = 8, username: String? = nil, email: String? = nil
  ) throws(Fault) -> Password {
    let name: Username? = if let username { try Username(username) } else { nil }
    let address: EmailAddress? = if let email { try EmailAddress(email) } else { nil }
    return try Password(text, policy: Password.Policy(lengthMin: lengthMin), username: name, email: address)
  }

  private func bytes(_ text: String) -> [UInt8]? { PresentedPassword(text)?.withBytes { Array($0) } }

  @Test(arguments: [
    "8 bytes.", "        ", " leading and trailing ", "éééééééé", "парольчик", "한글여덟글자비밀",
    String(repeating: "\u{1F600}", count: 8), "tab\tand\nline",
    String(repeating: "x", count: 1024),
  ])
  func `a password in the policy is kept byte by byte`(text: String) throws {
    #expect(try password(text).presented.withBytes { Array($0) } == Array(text.utf8))
  }

  @Test(arguments: [
    ("", 8, Fault.Code.tooShort), ("1234567", 8, .tooShort), ("ééééééé", 8, .tooShort), ("일곱글자비밀번", 8, .tooShort),
    (String(repeating: "\u{1F600}", count: 7), 8, .tooShort), ("12345678901234", 15, .tooShort),
    (String(repeating: "x", count: 1025), 8, .tooLong), (String(repeating: "x", count: 60_000), 8, .tooLong),
    ("12345678\u{0}", 8, .forbiddenCharacter),
  ])
  func `a password out of the policy is refused`(text: String, lengthMin: Int, expected: Fault.Code) {
    #expect(code { () throws(Fault) in try password(text, lengthMin: lengthMin) } == expected)
  }

  @Test func `the minimum is the operator's choice`() throws {
    _ = try password("123456789012345", lengthMin: 15)
  }

  @Test(arguments: [
    "lovelace1", "LoveLace1", "ada.byron@example.com", "ADA.BYRON@example.COM", "ada.byron", "Ada.Byron",
  ])
  func `a password equal to one of the account's names is refused in any case`(text: String) {
    let refused = code { () throws(Fault) in
      try password(text, username: "Lovelace1", email: "Ada.Byron@Example.com")
    }
    #expect(refused == .sameAsLogin)
  }

  @Test func `a password that only contains a name is accepted`() throws {
    _ = try password("lovelace1!", username: "Lovelace1", email: "Ada.Byron@Example.com")
    _ = try password("ada.byron+", username: nil, email: "Ada.Byron@Example.com")
    _ = try password("lovelace1", username: nil, email: nil)
  }

  @Test func `one password typed in two forms is one sequence of bytes`() {
    let composed = Array("caf\u{E9}-\u{1E69}".utf8)
    #expect(bytes("caf\u{E9}-\u{1E69}") == composed)
    #expect(bytes("cafe\u{301}-s\u{323}\u{307}") == composed)
    #expect(bytes("cafe\u{301}-s\u{307}\u{323}") == composed)
    #expect(bytes("cafe") != composed)
  }

  @Test(arguments: [
    // Singletons, Hangul, a composition exclusion, marks of one class in their order, a starter that blocks.
    ("\u{212B}\u{2126}", "\u{C5}\u{3A9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{958}", "\u{915}\u{93C}"),
    ("a\u{302}\u{301}", "\u{1EA5}"), ("a\u{301}\u{302}", "\u{E1}\u{302}"), ("\u{344}", "\u{308}\u{301}"),
    ("\u{1FBE}\u{308}\u{301}", "\u{390}"), ("a\u{34F}\u{301}", "a\u{34F}\u{301}"), ("\u{301}a", "\u{301}a"),
    ("\u{FB01}\u{2460}", "\u{FB01}\u{2460}"),
  ])
  func `normalisation is form C`(text: String, composed: String) {
    #expect(bytes(text) == Array(composed.utf8))
  }

  @Test func `length is measured after normalisation`() throws {
    // Three bytes before, two after; and one e is no mark.
    let decomposed = String(repeating: "e\u{301}", count: 512)
    #expect(decomposed.utf8.count == 1536)
    #expect(bytes(decomposed)?.count == 1024)
    #expect(bytes(decomposed + "e") == nil)
    #expect(code { () throws(Fault) in try password(String(repeating: "e\u{301}", count: 7)) } == .tooShort)
  }

  @Test func `a text of nothing but marks is put in order`() {
    // Two classes, alternating: above (230) and below (220); below comes first.
    let marks = String(repeating: "\u{301}\u{323}", count: 256)
    let ordered = String(repeating: "\u{323}", count: 256) + String(repeating: "\u{301}", count: 256)
    #expect(bytes(marks) == Array(ordered.utf8))
    #expect(bytes("\u{301}\u{323}a\u{301}\u{323}") == Array("\u{323}\u{301}\u{1EA1}\u{301}".utf8))
  }

  @Test func `a presented password is under no policy but the maximum`() {
    #expect(bytes("") == [])
    #expect(bytes("x") == [0x78])
    #expect(bytes(String(repeating: "x", count: 1024))?.count == 1024)
    #expect(bytes(String(repeating: "x", count: 1025)) == nil)
    #expect(bytes(String(repeating: "\u{1F600}", count: 20_000)) == nil)
  }

  @Test func `no description shows a password`() throws {
    let secret = "correct horse"
    let chosen = try password(secret)
    let shown = [
      "\(chosen)", String(reflecting: chosen), "\(chosen.presented)", String(reflecting: chosen.presented),
      "\([chosen])", "\(Optional(chosen.presented) as Any)",
    ]
    var dumped = ""
    dump(chosen, to: &dumped)
    dump(chosen.presented, to: &dumped)
    for text in shown + [dumped] {
      #expect(!text.contains(secret))
      // Nor its bytes, in a list or one a line.
      #expect(!text.contains("99, 111, 114"))
      #expect(!text.contains("- 111\n"))
    }
  }
}
