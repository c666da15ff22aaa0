import Testing

/// The fuzz targets and the inputs that are kept for them.
@Suite struct FuzzTests {
  static let names = Set(
    House.files(in: "Fuzz/Sources", ".swift").flatMap { file in
      file.text.matches(of: #/(?:FuzzTarget|ofText)\("(\w+)"\)/#).map { String($0.1) }
    })

  @Test func `every target has inputs that are kept, and each has its target`() {
    let files = House.files(in: "Fuzz/corpus", ".txt")
    #expect(Self.names.count >= 23)
    #expect(Set(files.map { String($0.name.dropLast(4)) }) == Self.names)
    for file in files { #expect(!file.text.isEmpty, "\(file.path)") }
  }
}
