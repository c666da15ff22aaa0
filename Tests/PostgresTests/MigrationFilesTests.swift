import EventLoop
import Postgres
import Schema
import TestSupport
import Testing

struct MigrationFilesTests {
  @Test func `the binary holds every file of the sql folder, in order and unchanged`() throws {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let listing = try ChildProcess.run("/bin/ls", ["/\(folder)/sql"], timeoutMilliseconds: 5000)
    let files = listing.output.split(separator: "\n").map(String.init).filter { $0.hasSuffix(".sql") }
    #expect(files.count > 0)
    #expect(TestTemplate.migrations.map(\.file) == files)
    #expect(Schema.files.map(\.version) == Array(1...files.count))
    for migration in TestTemplate.migrations {
      let file = try ChildProcess.run("/bin/cat", ["/\(folder)/sql/\(migration.file)"], timeoutMilliseconds: 5000)
      #expect(file.output == migration.sql)
    }
  }
}
