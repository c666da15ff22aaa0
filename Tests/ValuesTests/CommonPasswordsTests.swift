import Testing

@testable import Values

@Suite struct CommonPasswordsTests {
  static let entries: [[UInt8]] = CommonPasswords.list.withUTF8Buffer { list in
    list.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { [UInt8]($0) }
  }

  @Test func `the list is long, sorted, in lower case, and of passwords that would else be accepted`() {
    #expect(Self.entries.count >= 3_000)
    for (one, next) in zip(Self.entries, Self.entries.dropFirst()) {
      #expect(one.lexicographicallyPrecedes(next), "\(String(decoding: next, as: UTF8.self))")
    }
    #expect(Self.entries.allSatisfy { $0.count >= 8 && $0.map(\.asciiLowercased) == $0 })
  }

  @Test func `every entry is found, and nothing beside it`() {
    let all = Set(Self.entries)
    for entry in Self.entries {
      #expect(CommonPasswords.contains(entry))
      for other in [entry + [0x61], Array(entry.dropLast()), Array(entry.dropFirst())] {
        #expect(CommonPasswords.contains(other) == all.contains(other))
      }
    }
    for other in ["", " ", "\n", "password password", "password\n", "~~~~~~~~~~", "!", "engine no. 1"] {
      #expect(!CommonPasswords.contains(Array(other.utf8)))
    }
  }

  @Test(arguments: ["password", "PassWord", "12345678", "QWERTYUIOP", "iloveyou", "trustno1", "password123"])
  func `a common password is refused in any case`(text: String) {
    do throws(Fault) {
      _ = try Password(text, username: nil, email: nil)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .common)
    }
  }

  @Test(arguments: ["password ", " password", "pässword", "correct horse battery"])
  func `what is only like one is accepted`(text: String) throws {
    _ = try Password(text, username: nil, email: nil)
  }

  @Test func `somebody who has one already can still present it`() {
    #expect(PresentedPassword("password") != nil)
  }
}
