import TestSupport
import Testing

@testable import roost

@Suite struct CommandLineCheckTests {
  @Test func `a good database is reported with its schema and the speed of hashing`() throws {
    let database = try TestDatabase.fresh()
    let run = CommandLineRun(["check"], environment: ["DATABASE_URL": "\(database.target)", "HASH_THREADS": "3"])
    #expect(run.code == 0)
    #expect(run.err == "")
    #expect(
      run.out.contains(#/ok    passwords: a hash takes \d+\.\d ms; 3 threads do about [1-9]\d* a second\n/#))
    #expect(run.out.contains(#/ok    schema: current, version \d+\n/#))
    #expect(!run.out.contains("hint"))
  }

  @Test func `a schema that lacks migrations is wrong, and the remedy is named`() throws {
    let database = try TestDatabase.empty()
    let run = CommandLineRun(["check"], environment: ["DATABASE_URL": "\(database.target)"])
    #expect(run.code == 1)
    #expect(run.err.contains("wrong schema: version 0, lacks 0001_accounts"))
    #expect(run.err.contains("run roost migrate"))
  }

  @Test(arguments: [
    ("always [madvise] never\n", "madvise"), ("always madvise [never]\n", "never"), ("[always] madvise never\n", nil),
    ("", nil),
  ])
  func `small pages of memory are a hint`(text: String, choice: String?) {
    let report = HashingReport(threads: 1) { path in
      path == HashingReport.hugePages ? .success(text) : .failure(Surroundings.FileTrouble(text: "none"))
    }
    let hints = report.lines.filter { $0.hasPrefix("hint  passwords:") }
    #expect(hints.count == (choice == nil ? 0 : 1))
    if let choice { #expect(hints.first?.contains("enabled says \(choice);") == true) }
  }
}
