import Testing

/// Rules of form that no compiler checks.
@Suite struct FormTests {
  /// The line that follows `pattern`, for each file that has one.
  func hits<Output>(_ pattern: Regex<Output>, in files: [House.File]) -> [String] {
    files.flatMap { file in
      file.lines.enumerated().filter { $0.element.contains(pattern) }.map {
        "\(file.path):\($0.offset + 1)\($0.element)"
      }
    }
  }

  @Test func `whatever is unchecked has its reason on the line`() {
    let unchecked = hits(
      #/@unchecked Sendable|nonisolated\(unsafe\)/#, in: House.all.filter { $0.target != "HouseTests" })
    #expect(unchecked.count >= 4)
    for line in unchecked { #expect(line.contains(#/  \/\/ \S+ \S+ \S+/#), "\(line)") }
  }

  @Test func `nothing is left for later`() {
    let others = House.all.filter { $0.target != "HouseTests" } + [House.package]
    #expect(hits(#/\b(TODO|FIXME|XXX|HACK)\b/#, in: others) == [])
    for ending in [".sql", ".json", ".html", ".md", ".yml"] {
      let files = House.files(in: "Sources", ending) + House.files(in: "sql", ending) + House.files(in: "docs", ending)
      #expect(hits(#/\b(TODO|FIXME|XXX|HACK)\b/#, in: files) == [])
    }
  }

  @Test func `the program ends itself only where the system gives it no threads and no random numbers`() {
    let ends = hits(#/\bfatalError\(|\btry!|\bas!|\bassertionFailure\(/#, in: House.sources)
    let files = Set(ends.map { String($0.prefix { $0 != ":" }) })
    #expect(files == ["Sources/EventLoop/CrewThread.swift", "Sources/Secrets/Sodium.swift"], "\(ends)")
  }

  @Test func `nothing is printed but by the console`() {
    let printing = hits(
      #/(^|[^.\w])(print|debugPrint|dump)\(/#, in: House.sources.filter { $0.name != "Console.swift" })
    #expect(printing == [])
  }

  @Test func `no type is a manager, a helper or a heap of utilities`() {
    let vague = #/(Manager|Helpers?|Utils?|Utility|Utilities|Impl|Repository|Base|Misc)(\b|\.)/#
    for file in House.all {
      #expect(!file.name.contains(vague), "\(file.path)")
      for match in file.text.matches(of: #/\b(?:struct|class|enum|actor|protocol)\s+(\w+)/#) {
        #expect(!match.1.contains(vague), "\(file.path): \(match.1)")
      }
    }
  }

  @Test(arguments: House.all)
  func `a file is short enough to be read in one go`(file: House.File) {
    // A list of data is looked up, not read.
    let isData = file.name.hasSuffix("+List.swift")
    #expect(isData || file.lines.count <= (file.path.hasPrefix("Tests/") ? 400 : 330))
    #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"))
  }
}
