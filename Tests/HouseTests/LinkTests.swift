import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The links of the documents. What is not written yet has none.
@Suite struct LinkTests {
  static let documents =
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].compactMap { House.file($0) }
    + House.files(in: "docs", ".md") + House.files(in: "Sources", ".md")

  /// What links of a Markdown text point to: `[text](target)`, `![text](target)`, `[name]: target`, `src="target"`,
  /// `href="target"`.
  static func targets(in text: String) -> [String] {
    var prose: [Substring] = []
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.trimmingPrefix(#/\s*/#).hasPrefix("```") { isCode.toggle() } else if !isCode { prose.append(line) }
    }
    let rest = prose.joined(separator: "\n").replacing(#/`[^`\n]*`/#, with: "")
    let link = #/\]\(([^)\s]+)(?:\s+"[^"]*")?\)|(?:src|href)="([^"]+)"|(?:^|\n)\[[^\]]+\]:\s*(\S+)/#
    return rest.matches(of: link).map { String($0.1 ?? $0.2 ?? $0.3 ?? "") }
  }

  /// The anchors of a document's headings, as GitHub makes them: of equal ones the second ends in -1.
  static func anchors(of text: String) -> Set<String> {
    var anchors: Set<String> = []
    var isCode = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.contains(#/^#{1,6} /#) else { continue }
      let title = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
      let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      let anchor = String(kept.map { $0 == " " ? "-" : $0 })
      let number = (1...).first { !anchors.contains("\(anchor)-\($0)") } ?? 1
      anchors.insert(anchors.contains(anchor) ? "\(anchor)-\(number)" : anchor)
    }
    return anchors
  }

  @Test(arguments: documents)
  func `every link leads somewhere`(document: House.File) {
    let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
    for target in Self.targets(in: document.text) where !target.contains(#/^[a-z]+:/#) {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? document.path : Self.resolved(String(parts[0]), in: folder)
      #expect(House.exists(path), "\(document.path): \(target)")
      if parts.count == 2, path.hasSuffix(".md"), let other = House.file(path) {
        #expect(Self.anchors(of: other.text).contains(String(parts[1])), "\(document.path): \(target)")
      }
    }
  }

  @Test func `the README leads to every document`() throws {
    guard let readme = House.file("README.md") else { return }
    let targets = Set(Self.targets(in: readme.text).map { String($0.prefix { $0 != "#" }) })
    for document in House.files(in: "docs", ".md") { #expect(targets.contains(document.path), "\(document.path)") }
  }

  @Test func `links and headings are found`() {
    let text = """
      See [a](docs/a.md#two-words) and ![b](b.png "B"), `[c](c.md)`.
      ```
      [d](d.md)
      ```
      <img src="e.png" alt="e"> <https://example.com>
      [f]: f.md
      ## Two words, `x` & 3
      ## Twice
      ## Twice
      ```
      # no heading
      ```
      """
    #expect(Self.targets(in: text) == ["docs/a.md#two-words", "b.png", "e.png", "f.md"])
    #expect(Self.anchors(of: text) == ["two-words-x--3", "twice", "twice-1"])
    #expect(Self.resolved("../b.md", in: "docs/a") == "docs/b.md")
    #expect(Self.resolved("/b.md", in: "docs") == "b.md")
  }

  private static func resolved(_ target: String, in folder: String) -> String {
    var parts = target.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
    for part in target.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}
