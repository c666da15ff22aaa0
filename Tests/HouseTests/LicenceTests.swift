import Testing

/// The list of what the program stands on; `scripts/licences --check` compares it with the packages of the system.
@Suite struct LicenceTests {
  struct Row: Equatable {
    let module: String
    let package: String
    let cells: [String]
  }

  /// The rows of the table between the marks.
  static func rows(in document: String) -> [Row] {
    guard let start = document.firstRange(of: "<!-- licences -->"),
      let end = document.firstRange(of: "<!-- /licences -->")
    else { return [] }
    return document[start.upperBound..<end.lowerBound].split(separator: "\n").dropFirst(2).map { line in
      let cells = line.split(separator: "|").map {
        String($0.trimmingPrefix(" ").reversed().drop { $0 == " " }.reversed())
      }
      return Row(module: cells[1], package: cells[2].filter { $0 != "`" }, cells: cells)
    }
  }

  @Test func `every library of the package is in the list, and no other`() throws {
    let rows = Self.rows(in: try #require(House.file("docs/licences.md")).text)
    let declared = House.package.text.matches(of: #/library\("(\w+)", pkgConfig/#).map { String($0.1) }
    #expect(declared.count >= 8)
    #expect(rows.map(\.module) == declared)
    for row in rows { #expect(row.cells.count == 5 && row.cells.allSatisfy { !$0.isEmpty }, "\(row)") }
  }

  @Test func `the image installs the packages of the list`() throws {
    let image = try #require(House.file("Dockerfile")).text
    let start = try #require(image.firstRange(of: "AS runtime")).upperBound
    let installed = image[start...].split { $0 == " " || $0 == "\n" }.map(String.init)
    for row in Self.rows(in: try #require(House.file("docs/licences.md")).text) {
      #expect(installed.contains(row.package), "\(row.package)")
    }
  }

  @Test func `a Swift package from elsewhere would need a line, and there is none`() {
    #expect(!House.package.text.contains(#/\.package\(/#))
  }
}
