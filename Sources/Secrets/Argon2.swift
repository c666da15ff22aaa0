import CSodium
import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls to libsodium. They block for many milliseconds and belong on a crew's thread.
enum Argon2 {
  /// Nil when there is no memory.
  static func hash(_ password: PresentedPassword, _ parameters: Argon2Parameters) -> PasswordHash? {
    Sodium.ready
    var phc = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let status = withCharacters(of: password) { characters, count in
      crypto_pwhash_str_alg(
        &phc, characters, count, UInt64(parameters.passes), parameters.memoryKiB << 10, crypto_pwhash_ALG_ARGON2ID13)
    }
    guard status == 0 else { return nil }
    return PasswordHash(stored: String(decoding: phc.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// Nil when there is no memory, which must not pass for a wrong password.
  static func matches(_ password: PresentedPassword, _ hash: PasswordHash) -> Bool? {
    guard hash.parameters != nil else { return false }
    Sodium.ready
    errno = 0
    let status = withCharacters(of: password) { crypto_pwhash_str_verify(hash.text, $0, $1) }
    if status == 0 { return true }
    return errno == ENOMEM ? nil : false
  }

  private static func withCharacters(
    of password: PresentedPassword, _ body: (UnsafePointer<CChar>, UInt64) -> CInt
  ) -> CInt {
    password.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty buffer may have no address, and libsodium wants one.
        withUnsafePointer(to: 0) { body(characters.baseAddress ?? $0, UInt64(characters.count)) }
      }
    }
  }
}
