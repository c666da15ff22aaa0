import Testing

@testable import roost

@Suite struct CommandLineTests {
  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func `help lists the commands`(arguments: [String]) throws {
    #expect(try Invocation(arguments) == .help(nil))
    let answer = CommandLineRun(["--help"])
    #expect(answer.code == 0)
    #expect(answer.err == "")
    for command in Command.allCases { #expect(answer.out.contains("  \(command.rawValue) ")) }
  }

  @Test(arguments: Command.allCases)
  func `each command has help with its flags and their variables`(command: Command) throws {
    let answer = CommandLineRun([command.rawValue, "--help"])
    #expect(answer.code == 0)
    #expect(answer.out.hasPrefix("roost \(command.rawValue): \(command.summary)."))
    for setting in command.settings {
      if let flag = setting.flag { #expect(answer.out.contains("  \(flag) \(setting.placeholder)")) }
      #expect(answer.out.contains(" \(setting.name)"))
      #expect(answer.out.contains(setting.help))
    }
    for option in command.options {
      #expect(answer.out.contains("  \(option.flag) \(option.placeholder) ") && answer.out.contains(option.help))
    }
    for option in command.switches { #expect(answer.out.contains("  \(option.flag) ")) }
    #expect(answer.out.split(separator: "\n").allSatisfy { $0.count <= 130 })
    #expect(try Invocation(["help", command.rawValue]) == .help(command))
    #expect(try Invocation([command.rawValue, "--log-level", "x", "-h"]) == .help(command))
  }

  @Test(arguments: [
    ([], "say what to do", "roost --help"),
    (["srve"], #"there is no command "srve"; did you mean serve?"#, "roost --help"),
    (["migarte"], #"there is no command "migarte"; did you mean migrate?"#, "roost --help"),
    (
      ["frobnicate"],
      #"there is no command "frobnicate"; there are serve, migrate, psql, accounts, seed, check, version"#,
      "roost --help"
    ),
    (
      ["--listen", "x", "serve"], "the command comes first: serve, migrate, psql, accounts, seed, check, version",
      "roost --help"
    ),
    (["serve", "--lisen", "x"], #"serve has no flag "--lisen"; did you mean --listen?"#, "roost serve --help"),
    (["serve", "--zzz"], #"serve has no flag "--zzz""#, "roost serve --help"),
    (["serve", "--listen"], "--listen needs a value", "roost serve --help"),
    (["serve", "--listen="], "--listen needs a value", "roost serve --help"),
    (["serve", "--workers", "1", "--workers=2"], "--workers is given twice", "roost serve --help"),
    (["serve", "--no-migrate=yes"], "--no-migrate takes no value", "roost serve --help"),
    (["serve", "now"], #"serve takes no argument "now""#, "roost serve --help"),
    (["serve", "--", "now"], "serve takes nothing after --", "roost serve --help"),
    (["migrate", "--workers", "1"], "--workers is not for migrate", "roost migrate --help"),
    (["serve", "--port", "1"], #"serve has no flag "--port""#, "roost serve --help"),
    (["psql", "-c", "x"], #"psql has no flag "-c"; arguments of psql go after --"#, "roost psql --help"),
    (
      ["help", "me"], #"there is no command "me"; there are serve, migrate, psql, accounts, seed, check, version"#,
      "roost --help"
    ),
  ])
  func `a wrong command line is explained and ends with EX_USAGE`(arguments: [String], text: String, see: String) {
    let answer = CommandLineRun(arguments)
    #expect(answer.code == 64)
    #expect(answer.err == "roost: \(text)\nSee: \(see)\n")
    #expect(answer.out == "")
  }

  @Test func `a wrong command line does not repeat what may be a secret`() {
    for arguments in [
      ["serve", "postgresql://u:planted@h"], ["serve", "--databse-url=postgresql://u:planted@h"], ["planted=1"],
    ] {
      #expect(throws: Invocation.Trouble.self) { try Invocation(arguments) }
      do { _ = try Invocation(arguments) } catch { #expect(!error.text.contains("planted")) }
    }
  }

  @Test func `flags take values in either form`() throws {
    let expected = Invocation.Arguments(flags: ["--listen": "[::1]:1", "--workers": "2"], switches: ["--no-migrate"])
    #expect(try Invocation(["serve", "--listen", "[::1]:1", "--no-migrate", "--workers=2"]) == .run(.serve, expected))
    let equals = Invocation.Arguments(flags: ["--database-url": "host=a dbname=b"])
    #expect(try Invocation(["migrate", "--database-url=host=a dbname=b"]) == .run(.migrate, equals))
  }

  @Test func `what follows the two dashes goes to psql untouched`() throws {
    let expected = Invocation.Arguments(flags: ["--data-dir": "/d"], rest: ["-c", "select 1", "--", "--help"])
    #expect(
      try Invocation(["psql", "--data-dir", "/d", "--", "-c", "select 1", "--", "--help"]) == .run(.psql, expected))
  }

  @Test(arguments: [Command.serve, .migrate, .psql, .accounts, .seed, .check])
  func `wrong settings end every command with EX_CONFIG before it does anything`(command: Command) {
    let answer = CommandLineRun([command.rawValue], environment: ["LOG_LEVEL": "loud", "DATABASE_URL": "planted"])
    #expect(answer.code == 78)
    #expect(answer.out == "")
    #expect(answer.err.contains("LOG_LEVEL=\"loud\""))
    #expect(answer.err.contains("DATABASE_URL: not allowed"))
    #expect(!answer.err.contains("planted"))
  }

  @Test(arguments: [["version"], ["--version"], ["-V"]])
  func `the version names the libraries`(arguments: [String]) throws {
    #expect(try Invocation(arguments) == .run(.version, Invocation.Arguments()))
    let answer = CommandLineRun(["version"])
    #expect(answer.code == 0)
    #expect(
      answer.out.wholeMatch(of: #/roost \d+\.\d+\.\d+\nSwift .+\nlibpq \d+\.\d+\nlibuv .+\nschema \d+ \(.+\.sql\)\n/#)
        != nil)
  }

  @Test func `flags and variables are unlike each other`() {
    let flags = Setting.all.flatMap { [$0.flag, $0.isSecret ? $0.fileFlag : nil].compactMap(\.self) }
    // Two commands may share a switch, with one meaning.
    let shared = Set(Command.allCases.flatMap(\.switches))
    let switches = shared.map(\.flag) + Command.allCases.flatMap { $0.options.map(\.flag) } + ["--help"]
    #expect(Set(flags + switches).count == flags.count + switches.count)
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    #expect(Set(Setting.all.map(\.topic)) == Set(Setting.Topic.allCases))
  }

  @Test func `the table for the documentation has every setting once`() {
    let answer = CommandLineRun(["check", "--settings"], environment: ["WORKERS": "0"])
    #expect(answer.code == 0)
    for setting in Setting.all {
      #expect(answer.out.split(separator: "\n").filter { $0.hasPrefix("| `\(setting.name)`") }.count == 1)
    }
  }

  @Test(arguments: [
    ("serve", "serve", 0), ("srve", "serve", 1), ("sevre", "serve", 1), ("", "abc", 3), ("abc", "", 3),
    ("psql", "check", 5),
  ])
  func `words are as far apart as the letters to change`(left: String, right: String, distance: Int) {
    #expect(Suggestion.distance(left, right) == distance)
    #expect(Suggestion.distance(right, left) == distance)
  }
}
