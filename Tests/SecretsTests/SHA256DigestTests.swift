import Secrets
import Testing

struct SHA256DigestTests {
  /// FIPS 180-4's examples, and a million letters, which fill many blocks.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `a digest is SHA-256`(text: String, digest: String) {
    #expect(hex(SHA256Digest.of(text).bytes) == digest)
    #expect(SHA256Digest.of(Array(text.utf8)) == SHA256Digest.of(text))
  }

  @Test func `a stored digest is read back`() {
    let digest = SHA256Digest.of("abc")
    #expect(digest.withBytes { SHA256Digest(bytes: $0) } == digest)
    #expect(digest != SHA256Digest.of("abd"))
    #expect([UInt8]().withUnsafeBytes { SHA256Digest(bytes: $0) } == nil)
    #expect(digest.bytes.dropLast().withUnsafeBytes { SHA256Digest(bytes: $0) } == nil)
  }
}
