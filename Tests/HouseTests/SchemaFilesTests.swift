import Testing

@Suite struct SchemaFilesTests {
  static let files = House.files(in: "sql", ".sql").map(\.name)

  @Test func `the files of the schema count from one without gaps`() {
    #expect(Self.files.count >= 2)
    for (index, name) in Self.files.enumerated() {
      let digits = String(index + 1)
      #expect(name.hasPrefix(String(repeating: "0", count: 4 - digits.count) + digits + "_"), "\(name)")
      #expect(name.contains(#/^\d{4}_[a-z][a-z0-9_]*\.sql$/#), "\(name)")
    }
  }

  @Test func `every one of them is compiled in, under its number and its name`() throws {
    let listed = try #require(House.file("sql/Schema.swift")).text
      .matches(of: #/File\(\s*(\d+), "(\w+)", PackageResources\._(\w+)_sql/#)
      .map { match in
        let digits = String(match.1)
        let number = String(repeating: "0", count: 4 - digits.count) + digits
        // SwiftPM puts an underscore in place of the leading digit.
        #expect(match.3 == "\(number.dropFirst())_\(match.2)")
        return "\(number)_\(match.2).sql"
      }
    #expect(listed == Self.files)
    let embedded = House.package.text.matches(of: #/\.embedInCode\("(\d{4}_\w+\.sql)"\)/#).map { String($0.1) }
    #expect(embedded == Self.files)
  }

  @Test func `a migration needs no superuser, no fixed role and no extension`() {
    for file in House.files(in: "sql", ".sql") {
      let forbidden =
        #/(?i)\b(create extension|create role|create user|grant|revoke|owner to|security definer|superuser)\b/#
      #expect(!file.text.contains(forbidden), "\(file.path)")
      #expect(file.text.hasPrefix("-- "), "\(file.path): says first what it brings")
    }
  }

  @Test func `what runs outside of a transaction can run again from its start`() {
    for file in House.files(in: "sql", ".sql") {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count > 2 && !lines.dropFirst(2).contains { $0.hasPrefix("-- runs:") }, "\(file.path)")
      guard lines[1] == "-- runs: one by one" else {
        #expect(!file.text.contains("concurrently"), "\(file.path)")
        #expect(!lines[1].hasPrefix("-- runs:") || lines[1] == "-- runs: in batches", "\(file.path)")
        continue
      }
      let statements = lines.dropFirst(2).filter { !$0.isEmpty && !$0.hasPrefix("--") }
      for (index, statement) in zip(statements.indices, statements) {
        if statement.wholeMatch(of: #/drop index concurrently if exists \w+;/#) != nil { continue }
        let made = statement.wholeMatch(of: #/create (?:unique )?index concurrently (\w+) on .*;/#)?.1
        let before = index > 0 ? statements[index - 1] : ""
        let away = "drop index concurrently if exists \(made ?? "");"
        #expect(made != nil && before == away, "\(file.path): \(statement)")
      }
    }
  }
}
