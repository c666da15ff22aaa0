import Testing
import Values

@Suite struct LanguageTests {
  @Test(arguments: [
    (nil, Language.english), ("", .english), ("ko", .korean), ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", .korean),
    ("en-GB,en;q=0.9,ko;q=0.8", .english), ("en;q=0.5, ko;q=0.6", .korean), ("KO-kr", .korean),
    ("fr, de;q=0.5", .english),
    ("fr, ko;q=0.1", .korean), ("ko;q=0", .english), ("*", .english), ("en;q=0, *", .korean),
    ("ko;q=0.5, *;q=0.8", .english),
    ("ko;q=1.5", .english), ("ko;q=x", .english), ("ko ; q=0.9", .korean), ("kok", .english), (",,ko,,", .korean),
    ("ko;q=0.001", .korean), ("en, ko", .english), ("ko, en", .korean), (";;;", .english), ("en;q=0,ko;q=0", .english),
  ])
  func `the language that is wanted most is chosen`(header: String?, language: Language) {
    #expect(Language(acceptLanguage: header) == language)
  }

  @Test func `a long header costs no more than a short one`() {
    #expect(Language(acceptLanguage: String(repeating: "xx,", count: 100_000) + "ko") == .english)
  }
}
