import Testing

/// The security documents name files and tests as evidence. What they name is there.
@Suite struct SecurityDocumentTests {
  static let documents = ["SECURITY.md", "docs/threat-model.md", "docs/security.md"].compactMap { House.file($0) }

  /// The tests that a text names: `SomeTests`: *a sentence*, *another*.
  static func tests(in text: String) -> [(suite: String, sentence: String)] {
    text.matches(of: #/`(\w+Tests)`:? ((?:\*[^*\n]+\*(?:, )?)+)/#).flatMap { match in
      match.2.matches(of: #/\*([^*]+)\*/#).map { (String(match.1), String($0.1)) }
    }
  }

  /// The files that a text names, from the package's folder or from `Sources`: `Routes/Router.swift`.
  static func files(in text: String) -> [String] {
    text.matches(of: #/`((?:[\w.+-]+\/)+[\w.+-]+\.(?:swift|sql|md|js|py|json))`/#).map { String($0.1) }
  }

  /// The sentences of each suite.
  static let sentences: [String: Set<String>] = {
    var sentences: [String: Set<String>] = [:]
    for file in House.files(in: "Tests", ".swift") {
      var suite = ""
      for match in file.text.matches(of: #/(?:struct|class|extension) (\w+Tests)\b|func `([^`]+)`/#) {
        if let name = match.1 { suite = String(name) }
        if let sentence = match.2 { sentences[suite, default: []].insert(String(sentence)) }
      }
    }
    return sentences
  }()

  @Test func `the documents are there`() { #expect(Self.documents.count == 3) }

  @Test(arguments: documents)
  func `every test that is named as evidence exists`(document: House.File) {
    for (suite, sentence) in Self.tests(in: document.text) {
      #expect(Self.sentences[suite]?.contains(sentence) == true, "\(suite): \(sentence)")
    }
    let suites = document.text.matches(of: #/`(\w+Tests)`/#).map { String($0.1) }
    for suite in suites { #expect(Self.sentences[suite] != nil, "\(suite)") }
  }

  @Test(arguments: documents)
  func `every file that is named as evidence exists`(document: House.File) {
    for path in Self.files(in: document.text) {
      #expect(House.exists(path) || House.exists("Sources/\(path)"), "\(path)")
    }
  }

  @Test func `a row names its item once, its level and how far it is met`() throws {
    let text = try #require(House.file("docs/security.md")).text
    let end = try #require(text.firstRange(of: "## What does not apply")).lowerBound
    let rows = text[..<end].split(separator: "\n").filter { $0.prefixMatch(of: #/\| \d+\.\d+\.\d+ /#) != nil }
    #expect(rows.count > 150)
    var items: Set<Substring> = []
    for row in rows {
      let match = row.wholeMatch(of: #/\| (\d+\.\d+\.\d+) \| [12] \| [^|]+ \| (?:yes|partly|no|operator) \| [^|]+ \|/#)
      let item = try #require(match, "\(row)").1
      #expect(items.insert(item).inserted, "\(item)")
    }
  }

  @Test func `tests and files are found in a text`() {
    let text = "See `Routes/Router.swift`, `ATests`: *one thing*, *another*; `BTests`: *a third*."
    #expect(
      Self.tests(in: text).map { "\($0.suite) \($0.sentence)" } == [
        "ATests one thing", "ATests another", "BTests a third",
      ])
    #expect(Self.files(in: text) == ["Routes/Router.swift"])
  }
}
