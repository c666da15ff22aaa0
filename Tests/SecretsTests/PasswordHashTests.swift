import Secrets
import Testing

struct PasswordHashTests {
  @Test func `a hash tells its parameters`() throws {
    let parameters = try #require(
      PasswordHash(stored: "$argon2i$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA").parameters)
    #expect(parameters.variant == .argon2i)
    #expect(parameters.version == 19)
    #expect(parameters.memoryKiB == 65536)
    #expect(parameters.passes == 3)
    #expect(parameters.lanes == 4)
  }

  @Test(arguments: malformedHashes)
  func `a string out of form has no parameters`(text: String) {
    #expect(PasswordHash(stored: text).parameters == nil)
  }

  @Test func `no description shows a hash`() {
    let hash = PasswordHash(stored: "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA")
    var shown = "\(hash) \(String(reflecting: hash)) \([hash])"
    dump(hash, to: &shown)
    #expect(!shown.contains("c29tZ"))
    #expect(!shown.contains("aGFza"))
    #expect(hash.text.hasSuffix("aGFzaA"))
  }
}

/// None of these may crash, take all memory or match anything.
let malformedHashes = [
  "", "$", "$$$$$", "password", "$argon2id$", "argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2d$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
  "$argon2id$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$t=1,m=8,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=8,t=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=-8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=8,t=0,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=8,t=33,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=8,t=1,p=0$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=1024,t=1,p=17$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=262145,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=99999999999999999999,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA$",
  "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA\u{0}",
  "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$" + String(repeating: "A", count: 60_000),
]
