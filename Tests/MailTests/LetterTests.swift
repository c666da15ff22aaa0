import Mail
import Testing
import Values

@Suite struct LetterTests {
  @Test(arguments: LetterKind.allCases, Language.allCases)
  func `a letter names its reader and holds its link in both forms`(kind: LetterKind, language: Language) {
    let link = "https://roost.example/reset#token=abc"
    let letter = Letter(kind, in: language, to: "ada", link: link)
    #expect(letter.text.contains("ada"))
    #expect(letter.html.contains("ada"))
    #expect(letter.html.contains("<html lang=\"\(language.rawValue)\">"))
    let hasLink = kind != .usernameReminder
    #expect(letter.text.contains("\n\(link)\n") == hasLink, "alone on its line")
    #expect(letter.html.contains("<a href=\"\(link)\">") == hasLink)
    #expect(!letter.subject.isEmpty && !letter.subject.contains("\n"))
    #expect(letter.subject.utf8.contains { $0 >= 0x80 } == (language == .korean))
  }

  @Test func `every letter has its own words`() {
    let letters = LetterKind.allCases.flatMap { kind in
      Language.allCases.map { Letter(kind, in: $0, to: "ada", link: "x") }
    }
    #expect(Set(letters.map(\.subject)).count == letters.count)
    #expect(Set(letters.map(\.text)).count == letters.count)
  }

  @Test func `a name adds no markup`() {
    let letter = Letter(
      .usernameReminder, in: .english, to: "<script>&\"'</script>", link: "https://a/\"><img src=x>")
    #expect(!letter.html.contains("<script"))
    #expect(letter.html.contains("&lt;script&gt;&amp;&quot;&#39;&lt;/script&gt;"))
    let reset = Letter(.passwordReset, in: .english, to: "ada", link: "https://a/\"><img src=x>")
    #expect(!reset.html.contains("<img"))
  }
}
