/// A password somebody chooses: in Unicode form C, within the policy (NIST SP 800-63B-4, section 3.1.1.2).
///
/// Spaces are kept, nothing is cut off, no kinds of characters are demanded.
public struct Password: Sendable {
  public static let bytesMax = PresentedPassword.bytesMax

  /// What an operator may set.
  public struct Policy: Hashable, Sendable {
    public static let lengthMinRange = 8...128

    /// The shortest password, in Unicode code points after normalisation, which is how NIST counts characters.
    public let lengthMin: Int

    /// 8 by default; 15 is NIST's minimum where a password is the only factor. Must lie in ``lengthMinRange``.
    public init(lengthMin: Int = 8) {
      precondition(Self.lengthMinRange.contains(lengthMin), "a password minimum out of its range")
      self.lengthMin = lengthMin
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
    guard bytes.count(where: { !UTF8.isContinuation($0) }) >= policy.lengthMin else {
      throw Fault(.tooShort, "Use at least \(policy.lengthMin) characters.")
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
