import EventLoop
import Secrets
import Testing
import Values

struct PasswordHasherTests {
  private static let cheap = Argon2Parameters(memoryKiB: 8, passes: 1)

  /// Its crew ends when the test lets go of it.
  private func hasher(_ parameters: Argon2Parameters = cheap) -> PasswordHasher {
    PasswordHasher(crew: Crew(threads: 1, queueMax: 64), parameters: parameters)
  }

  /// Whether a log-in with the text gets past the hash.
  private func accepts(_ text: String, _ hasher: PasswordHasher, _ hash: PasswordHash) async throws -> Bool {
    try await hasher.verify(try presented(text), against: hash)
  }

  private func presented(_ text: String) throws -> PresentedPassword { try #require(PresentedPassword(text)) }

  @Test func `a password matches its hash and no other does`() async throws {
    let hasher = self.hasher()
    let password = try Password("correct horse", username: nil, email: nil)
    let hash = try await hasher.hash(password)
    #expect(hash.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
    #expect(hash.parameters == Self.cheap)
    #expect(try await hasher.verify(password.presented, against: hash))
    for wrong in ["Correct horse", "correct horse ", "correct hors", "", "correct horse\u{0}"] {
      #expect(try await !accepts(wrong, hasher, hash))
    }
  }

  @Test func `one password gets another salt each time`() async throws {
    let hasher = self.hasher()
    let password = try presented("correct horse")
    #expect(try await hasher.hash(password) != hasher.hash(password))
  }

  @Test func `the standard cost is 19 MiB, two passes and one lane of Argon2id`() async throws {
    let hasher = self.hasher(.standard)
    let hash = try await hasher.hash(try presented("correct horse"))
    #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(try await accepts("correct horse", hasher, hash))
    #expect(!hasher.needsRehash(hash))
  }

  /// Test vectors of the reference implementation of Argon2: password `password`, salt `somesalt`.
  @Test(arguments: [
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
    "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
    "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8",
  ])
  func `a hash is checked with the parameters it carries`(text: String) async throws {
    let hasher = self.hasher()
    let hash = PasswordHash(stored: text)
    #expect(try await accepts("password", hasher, hash))
    #expect(try await !accepts("passwore", hasher, hash))
    #expect(hasher.needsRehash(hash))
    let other = PasswordHash(stored: text.dropLast(1) + "A")
    #expect(try await !accepts("password", hasher, other))
  }

  @Test(arguments: malformedHashes)
  func `a hash out of form matches nothing`(text: String) async throws {
    let hasher = self.hasher()
    let hash = PasswordHash(stored: text)
    #expect(try await !accepts("password", hasher, hash))
    #expect(hasher.needsRehash(hash))
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
    let hasher = self.hasher()
    #expect(try await !accepts("password", hasher, PasswordHash(stored: text)))
  }

  @Test func `a hash that asks for too much is refused before it is computed`() async throws {
    // libsodium made it from this password, with 33 passes.
    let text = "$argon2id$v=19$m=8,t=33,p=1$tf+EkL4eQEC1s0IfXmBkRA$it0gD1lJBqku5ZCgv25XXp8LMPJwcR4RL+tFdHxIo2A"
    #expect(try await !accepts("password", hasher(), PasswordHash(stored: text)))
  }

  @Test func `the last of 1,024 bytes counts`() async throws {
    let hasher = self.hasher()
    let stem = String(repeating: "x", count: 1023)
    let hash = try await hasher.hash(try presented(stem + "y"))
    #expect(try await accepts(stem + "y", hasher, hash))
    #expect(try await !accepts(stem + "z", hasher, hash))
    #expect(try await !accepts(stem, hasher, hash))
  }

  @Test func `what stands after a zero byte counts`() async throws {
    let hasher = self.hasher()
    let hash = try await hasher.hash(try presented("abc\u{0}def"))
    #expect(try await accepts("abc\u{0}def", hasher, hash))
    #expect(try await !accepts("abc\u{0}deg", hasher, hash))
  }

  @Test func `composed and decomposed letters log in alike`() async throws {
    let hasher = self.hasher()
    let hash = try await hasher.hash(try Password("caf\u{E9} cr\u{E8}me", username: nil, email: nil))
    #expect(try await accepts("cafe\u{301} cre\u{300}me", hasher, hash))
    #expect(try await !accepts("cafe creme", hasher, hash))
  }

  @Test func `the decoy costs what a real hash costs and matches nothing`() async throws {
    let hasher = self.hasher()
    let real = try await hasher.hash(try presented("correct horse"))
    #expect(hasher.decoy.parameters == real.parameters)
    // The same lengths in every field, so the same work.
    let fields = { (hash: PasswordHash) in hash.text.split(separator: "$").map(\.count) }
    #expect(fields(hasher.decoy) == fields(real))
    #expect(!hasher.needsRehash(hasher.decoy))
    for text in ["", "password", "correct horse"] {
      #expect(try await !accepts(text, hasher, hasher.decoy))
    }
    #expect(self.hasher().decoy != self.hasher().decoy)
  }

  @Test(arguments: [
    "$argon2id$v=19$m=16,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$m=8,t=2,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$m=8,t=1,p=2$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=16$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
  ])
  func `a hash with any other parameter is due to be made anew`(text: String) async throws {
    let hasher = self.hasher()
    #expect(hasher.needsRehash(PasswordHash(stored: text)))
    let today = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA"
    #expect(!hasher.needsRehash(PasswordHash(stored: today)))
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
    #expect(try await !hasher.verify(password, against: hasher.decoy))
    crew.stop()
  }
}
