import Secrets
import Testing

struct SessionTokenTests {
  /// The bytes 0 to 31.
  private static let text = "roost_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  @Test func `a token is known by the SHA-256 of its bytes`() throws {
    let token = try #require(SessionToken(presented: Self.text))
    #expect(token.text == Self.text)
    #expect(hex(token.digest.bytes) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd")
  }

  @Test func `a new token is read back as it was handed out`() throws {
    for _ in 0..<1000 {
      let token = SessionToken()
      let text = token.text
      #expect(text.utf8.count == 49)
      #expect(text.hasPrefix("roost_"))
      let presented = try #require(SessionToken(presented: text))
      #expect(presented == token)
      #expect(presented.digest == token.digest)
    }
  }

  @Test func `no two tokens are alike and every bit is random`() {
    let tokens = (0..<1000).map { _ in SessionToken() }
    #expect(Set(tokens).count == 1000)
    #expect(Set(tokens.map(\.digest)).count == 1000)
    let last = Set(tokens.compactMap { $0.text.last })
    // 43 characters hold 258 bits; the last one has four.
    #expect(last == Set("AEIMQUYcgkosw048"))
    for place in 6..<48 {
      #expect(Set(tokens.map { Array($0.text)[place] }).count == 64)
    }
  }

  @Test func `a token is read from a part of a header`() throws {
    let header = "Bearer \(Self.text)"
    #expect(SessionToken(presented: header.dropFirst(7)) == SessionToken(presented: Self.text))
    let bytes = Array(Self.text.utf8)
    #expect(bytes.withUnsafeBufferPointer { SessionToken(presented: $0) } == SessionToken(presented: Self.text))
  }

  private static let stem = String(text.dropLast())
  private static let noTokens: [String] = [
    "", "roost_", stem, text + "A", text + "=", " " + text, text + " ", text + "\n", String(text.dropFirst(6)),
    text.replacing("roost_", with: "ROOST_"), text.replacing("roost_", with: "roost-"),
    // Spare bits set, the other alphabet, a zero byte, a letter outside ASCII.
    stem + "9", stem + "+", stem.dropLast() + "/8", stem + "\u{0}", stem.dropLast() + "é",
    String(repeating: "A", count: 60_000),
  ]

  @Test(arguments: noTokens)
  func `anything but the exact form is no token`(text: String) {
    #expect(SessionToken(presented: text) == nil)
  }

  @Test func `no byte outside ASCII stands for a character, wherever it is`() {
    let bytes = Array(Self.text.utf8)
    for place in 6..<bytes.count {
      for byte in UInt8(0x80)...0xff {
        var other = bytes
        other[place] = byte
        #expect(other.withUnsafeBufferPointer { SessionToken(presented: $0) } == nil)
      }
    }
    #expect(LinkToken(presented: String(repeating: "A", count: 38) + "\u{FFFD}AA") == nil)
  }

  @Test func `each value has one text`() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    #expect(alphabet.filter { SessionToken(presented: Self.stem + String($0)) != nil } == "AEIMQUYcgkosw048")
  }

  @Test func `no description shows a token or its digest`() throws {
    let token = try #require(SessionToken(presented: Self.text))
    var shown = "\(token) \(String(reflecting: token)) \([token]) \(token.digest) \([token.digest: token])"
    dump(token, to: &shown)
    dump(token.digest, to: &shown)
    #expect(!shown.contains("AAECAw"))
    #expect(!shown.lowercased().contains("630dcd"))
    #expect(!shown.contains("words"))
  }

  @Test func `tokens that differ in one bit are two tokens`() throws {
    let token = try #require(SessionToken(presented: Self.text))
    for other in ["roost_B" + Self.text.dropFirst(7), Self.stem + "4", Self.text.replacing("DA0O", with: "DA1O")] {
      let other = try #require(SessionToken(presented: other))
      #expect(other != token)
      #expect(other.digest != token.digest)
    }
  }

  @Test func `a stored digest is read back`() throws {
    let digest = SessionToken().digest
    #expect(digest.withBytes { TokenDigest(bytes: $0) } == digest)
    #expect(digest.bytes.dropLast().withUnsafeBytes { TokenDigest(bytes: $0) } == nil)
  }
}

func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
