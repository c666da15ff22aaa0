import Postgres
import TestSupport
import Testing

@testable import roost

/// `roost migrate`, and what it says.
@Suite(.timeLimit(.minutes(5))) struct CommandLineMigrateTests {
  let database: TestDatabase

  init() throws { database = try TestDatabase.empty() }

  func migrate(_ flags: String...) -> CommandLineRun {
    CommandLineRun(["migrate"] + flags, environment: ["DATABASE_URL": database.target.description])
  }

  var version: String? {
    get throws { try database.value("select max(version) from schema_migration") }
  }

  @Test func `it goes as far as it is asked to, and then to the end`() throws {
    let files = TestTemplate.migrations.map(\.file)
    let part = migrate("--to", "2")
    #expect(part.code == 0)
    #expect(part.out == "applied \(files[0])\napplied \(files[1])\nthe schema has version 2\n")
    #expect(try version == "2")

    let look = migrate("--dry-run")
    #expect(look.code == 1)
    #expect(look.out == (["the schema has version 2; to be applied:"] + files[2...]).joined(separator: "\n  ") + "\n")
    #expect(try version == "2")

    let rest = migrate()
    #expect(rest.code == 0)
    let said = files[2...].map { "applied \($0)" } + ["the schema is current, version \(files.count)"]
    #expect(rest.out == said.joined(separator: "\n") + "\n")
    #expect(migrate("--to", "3").out == "the schema is current, version \(files.count)\n")
  }

  @Test func `a database that a newer binary has migrated is left alone, and found good`() throws {
    #expect(migrate().code == 0)
    let newest = TestTemplate.migrations.count
    _ = try database.rows(
      "insert into schema_migration (version, name, sha256) values (\(newest + 1), 'next', '')")
    let refused = migrate()
    #expect(refused.code == 1 && refused.out == "")
    #expect(refused.err.contains("has schema version \(newest + 1), this binary knows versions up to \(newest)"))
    #expect(migrate("--dry-run").code == 0)
    let check = CommandLineRun(["check"], environment: ["DATABASE_URL": database.target.description])
    #expect(check.code == 0)
    #expect(check.out.contains("ok    schema: version \(newest + 1), newer than this binary's \(newest)"))
  }

  @Test(arguments: ["0", "-1", "99", "nine", "2.0"])
  func `a version that there is not is refused`(version: String) throws {
    let run = migrate("--to=\(version)")
    #expect(run.code == 64)
    #expect(run.err.contains("--to: give a version from 1 to \(TestTemplate.migrations.count)"))
    #expect(try database.value("select to_regclass('schema_migration')") == nil)
  }
}
