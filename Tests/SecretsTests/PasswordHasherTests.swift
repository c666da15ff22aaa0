import EventLoop
import Secrets
import Testing
import Values

struct PasswordHasherTests {
  private static let cheap = Argon2Parameters(memoryKiB: 8, passes: 1)

  private func withHasher(
    _ parameters: Argon2Parameters = cheap, _ body: (PasswordHasher) async throws -> Void
  ) async throws {
    let crew = Crew(threads: 1, queueMax: 64)
    defer { crew.stop() }
    try await body(PasswordHasher(crew: crew, parameters: parameters))
  }

  private func presented(_ text: String) throws -> PresentedPassword { try #require(PresentedPassword(text)) }

  @Test func `a password matches its hash and no other does`() async throws {
    try await withHasher { hasher in
      let password = try Password("correct horse", username: nil, email: nil)
      let hash = try await hasher.hash(password)
      #expect(hash.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
      #expect(hash.parameters == Self.cheap)
      #expect(try await hasher.verify(password.presented, against: hash))
      for wrong in ["Correct horse", "correct horse ", "correct hors", "", "correct horse\u{0}"] {
        #expect(try await !hasher.verify(presented(wrong), against: hash))
      }
    }
  }

  @Test func `one password gets another salt each time`() async throws {
    try await withHasher { hasher in
      let password = try presented("correct horse")
      #expect(try await hasher.hash(password) != hasher.hash(password))
    }
  }

  @Test func `the standard cost is 19 MiB, two passes and one lane of Argon2id`() async throws {
    try await withHasher(.standard) { hasher in
      let hash = try await hasher.hash(try presented("correct horse"))
      #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
      #expect(try await hasher.verify(try presented("correct horse"), against: hash))
      #expect(!hasher.needsRehash(hash))
    }
  }

  /// Test vectors of the reference implementation of Argon2: password `password`, salt `somesalt`.
  @Test(arguments: [
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
    "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8",
  ])
  func `a hash is checked with the parameters it carries`(text: String) async throws {
    try await withHasher { hasher in
      let hash = PasswordHash(stored: text)
      #expect(try await hasher.verify(try presented("password"), against: hash))
      #expect(try await !hasher.verify(try presented("passwore"), against: hash))
      #expect(hasher.needsRehash(hash))
      let other = PasswordHash(stored: text.dropLast(1) + "A")
      #expect(try await !hasher.verify(try presented("password"), against: other))
    }
  }

  @Test(arguments: malformedHashes)
  func `a hash out of form matches nothing`(text: String) async throws {
    try await withHasher { hasher in
      let hash = PasswordHash(stored: text)
      #expect(try await !hasher.verify(try presented("password"), against: hash))
      #expect(hasher.needsRehash(hash))
    }
  }

  /// In form, but libsodium must refuse them: memory below 8 KiB a lane, another version, no salt, bad base 64.
  @Test(arguments: [
    "$argon2id$v=19$m=0,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$m=8,t=1,p=16$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=16$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$m=8,t=1,p=1$$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$",
    "$argon2id$v=19$m=8,t=1,p=1$c29t!XNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  ])
  func `a hash that cannot be computed matches nothing`(text: String) async throws {
    try await withHasher { hasher in
      #expect(try await !hasher.verify(try presented("password"), against: PasswordHash(stored: text)))
    }
  }

  @Test func `the last of 1,024 bytes counts`() async throws {
    try await withHasher { hasher in
      let stem = String(repeating: "x", count: 1023)
      let hash = try await hasher.hash(try presented(stem + "y"))
      #expect(try await hasher.verify(try presented(stem + "y"), against: hash))
      #expect(try await !hasher.verify(try presented(stem + "z"), against: hash))
      #expect(try await !hasher.verify(try presented(stem), against: hash))
    }
  }

  @Test func `what stands after a zero byte counts`() async throws {
    try await withHasher { hasher in
      let hash = try await hasher.hash(try presented("abc\u{0}def"))
      #expect(try await hasher.verify(try presented("abc\u{0}def"), against: hash))
      #expect(try await !hasher.verify(try presented("abc\u{0}deg"), against: hash))
    }
  }

  @Test func `composed and decomposed letters log in alike`() async throws {
    try await withHasher { hasher in
      let hash = try await hasher.hash(try Password("caf\u{E9} cr\u{E8}me", username: nil, email: nil))
      #expect(try await hasher.verify(try presented("cafe\u{301} cre\u{300}me"), against: hash))
      #expect(try await !hasher.verify(try presented("cafe creme"), against: hash))
    }
  }

  @Test func `the decoy costs what a real hash costs and matches nothing`() async throws {
    try await withHasher { hasher in
      let real = try await hasher.hash(try presented("correct horse"))
      #expect(hasher.decoy.parameters == real.parameters)
      // The same lengths in every field, so the same work.
      let fields = { (hash: PasswordHash) in hash.text.split(separator: "$").map(\.count) }
      #expect(fields(hasher.decoy) == fields(real))
      #expect(!hasher.needsRehash(hasher.decoy))
      for text in ["", "password", "correct horse"] {
        #expect(try await !hasher.verify(try presented(text), against: hasher.decoy))
      }
    }
    let crew = Crew(threads: 1, queueMax: 1)
    defer { crew.stop() }
    #expect(PasswordHasher(crew: crew).decoy != PasswordHasher(crew: crew).decoy)
  }

  @Test(arguments: [
    "$argon2id$v=19$m=16,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$m=8,t=2,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$m=8,t=1,p=2$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=16$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  ])
  func `a hash with any other parameter is due to be made anew`(text: String) async throws {
    try await withHasher { hasher in
      #expect(hasher.needsRehash(PasswordHash(stored: text)))
      let today = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA"
      #expect(!hasher.needsRehash(PasswordHash(stored: today)))
    }
  }

  @Test func `a full crew overloads the hasher`() async throws {
    let crew = Crew(threads: 1, queueMax: 0)
    let hasher = PasswordHasher(crew: crew, parameters: Self.cheap)
    let gate = Gate()
    let busy = Task { try await crew.run { gate.wait() } }
    await until { crew.load.running == 1 }
    let password = try presented("password")
    await #expect(throws: Overloaded.self) { try await hasher.hash(password) }
    await #expect(throws: Overloaded.self) { try await hasher.verify(password, against: hasher.decoy) }
    gate.open()
    try await busy.value
    await until { crew.load.running == 0 }
    #expect(try await !hasher.verify(password, against: hasher.decoy))
    crew.stop()
  }
}
