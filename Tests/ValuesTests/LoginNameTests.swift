import Testing
import Values

struct LoginNameTests {
  @Test func `a text with an @ is an email address`() {
    let name = LoginName("Ada@Example.com")
    #expect(name.email == "ada@example.com")
    #expect(name.username == nil)
  }

  @Test func `a text without an @ is a username`() {
    let name = LoginName("Ada")
    #expect(name.username == "ada")
    #expect(name.email == nil)
  }

  @Test func `a reserved name can still log in`() {
    #expect(LoginName("Admin").username == "admin")
  }

  @Test(arguments: ["", "a", "a b", "@", "ada@", "ada@example", "adé", " ada", "ada@example.com ", "a..b"])
  func `a text out of form is the name of nobody`(text: String) {
    let name = LoginName(text)
    #expect(name.form == .unknown)
    #expect(name.email == nil)
    #expect(name.username == nil)
    #expect(name.throttleKey == Array(text.lowercased().utf8))
  }

  @Test func `attempts are counted under the folded text`() {
    #expect(LoginName("ADA").throttleKey == LoginName("ada").throttleKey)
    #expect(LoginName("ADA@Example.com").throttleKey == LoginName("ada@example.com").throttleKey)
    #expect(LoginName("ada").throttleKey != LoginName("ada2").throttleKey)
  }

  @Test func `a long text is not kept`() {
    #expect(LoginName(String(repeating: "x", count: 60_000)).throttleKey.count == 254)
    #expect(LoginName(String(repeating: "é", count: 60_000)).throttleKey.count == 254)
  }
}
