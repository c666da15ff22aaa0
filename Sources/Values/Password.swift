/// A password somebody chooses: in Unicode form C, within the policy (NIST SP 800-63B-4, section 3.1.1.2).
///
/// Spaces are kept, nothing is cut off, no kinds of characters are demanded.
public struct Password: Sendable {
  public static let bytesMax = PresentedPassword.bytesMax

  /// What an operator may set.
  public struct Policy: Hashable, Sendable {
    public static let bytesMinRange = 8...128

    /// The shortest password, in bytes of UTF-8 after normalisation.
    public let bytesMin: Int

    /// 8 by default; 15 is NIST's minimum where a password is the only factor. Must lie in ``bytesMinRange``.
    public init(bytesMin: Int = 8) {
      precondition(Self.bytesMinRange.contains(bytesMin), "a password minimum out of its range")
      self.bytesMin = bytesMin
    }
  }

  /// The same password, ready to be hashed or checked.
  public let presented: PresentedPassword

  /// Refuses what equals the account's own names, in any case. Names that were themselves refused are nil.
  ///
  /// Faults: `too_long`, `forbidden_character` (U+0000), `too_short`, `same_as_login`, `common`.
  public init(
    _ text: String, policy: Policy = Policy(), username: Username?, email: EmailAddress?
  ) throws(Fault) {
    guard let presented = PresentedPassword(text) else {
      throw Fault(.tooLong, "Use at most 1,024 bytes.")
    }
    let bytes = presented.normalized
    guard !bytes.contains(0) else { throw Fault(.forbiddenCharacter, "Leave out the character U+0000.") }
    guard bytes.count >= policy.bytesMin else {
      throw Fault(.tooShort, "Use at least \(policy.bytesMin) characters.")
    }
    let foldedBytes = bytes.map(\.asciiLowercased)
    let folded = String(decoding: foldedBytes, as: UTF8.self)
    guard folded != username?.text, folded != email?.folded, folded != email.map({ String($0.localPart) }) else {
      throw Fault(.sameAsLogin, "Choose a password that is not your username or email.")
    }
    guard !CommonPasswords.contains(foldedBytes) else {
      throw Fault(.common, "Many people use this password. Choose another one.")
    }
    self.presented = presented
  }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Password(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
