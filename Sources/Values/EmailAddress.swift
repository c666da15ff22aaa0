/// One mail address in ASCII: a dot-atom local part and a domain of at least two labels (RFC 5321 and RFC 5322,
/// without quoted local parts, comments and address literals).
///
/// Addresses are compared by ``folded``; mail goes to ``stored``. Plus tags are kept and distinct.
public struct EmailAddress: Sendable {
  public static let bytesMax = 254
  public static let localPartBytesMax = 64
  static let labelBytesMax = 63

  /// The address exactly as its owner wrote it.
  public let stored: String
  /// With the letters A to Z in lower case: two addresses with the same folded form are the same address.
  public let folded: String

  /// Faults: `too_long`, `forbidden_character` (not ASCII), `malformed`.
  public init(_ text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.bytesMax else { throw Fault(.tooLong, "Use an address of at most 254 characters.") }
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      throw Fault(.forbiddenCharacter, "Use an address of plain ASCII characters.")
    }
    guard let first = bytes.first, let last = bytes.last else { throw Self.shape }
    guard !Self.isSpace(first), !Self.isSpace(last) else {
      throw Fault(.malformed, "Remove the white space around the address.")
    }
    let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isDotAtom(parts[0]), Self.isDomain(parts[1]) else { throw Self.shape }
    guard parts[0].count <= Self.localPartBytesMax else {
      throw Fault(.tooLong, "Use at most 64 characters before the @.")
    }
    stored = text
    folded = text.asciiLowercased
  }

  /// What stands before the @, folded.
  public var localPart: Substring { folded.prefix { $0 != "@" } }

  private static let shape = Fault(.malformed, "Write one address, such as ada@example.com.")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || atomSigns.contains($0) }
    }
  }

  private static let atomSigns = Array("!#$%&'*+-/=?^_`{|}~".utf8)

  private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // An all-digit last label would make an IPv4 address pass for a domain.
    guard labels.count >= 2, let top = labels.last, !top.allSatisfy(\.isASCIIDigit) else { return false }
    return labels.allSatisfy { label in
      (1...labelBytesMax).contains(label.count) && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == hyphen }
    }
  }

  private static let hyphen = UInt8(ascii: "-")
}

extension EmailAddress: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
