/// The cost of an Argon2 hash (RFC 9106) and the variant it belongs to.
public struct Argon2Parameters: Hashable, Sendable {
  /// The variants that a stored hash may be of; only `argon2id` is made.
  public enum Variant: String, Hashable, Sendable {
    case argon2id
    case argon2i
  }

  public static let currentVersion = 19
  /// The most memory a stored hash may ask for, 256 MiB: more is no hash of ours but somebody's attempt to exhaust us.
  public static let memoryKiBMax = 262_144
  public static let passesMax = 32
  public static let lanesMax = 16
  /// Longer than any string that libsodium makes.
  static let phcBytesMax = 255

  public let variant: Variant
  public let version: Int
  /// m, in KiB.
  public let memoryKiB: Int
  /// t.
  public let passes: Int
  /// p.
  public let lanes: Int

  /// Argon2id of the current version with one lane, the only kind that is made. Memory is 8 KiB to 256 MiB, passes
  /// are 1 to 32.
  public init(memoryKiB: Int, passes: Int) {
    precondition((8...Self.memoryKiBMax).contains(memoryKiB) && (1...Self.passesMax).contains(passes))
    variant = .argon2id
    version = Self.currentVersion
    self.memoryKiB = memoryKiB
    self.passes = passes
    lanes = 1
  }

  /// 19 MiB, 2 passes, 1 lane: the first choice of OWASP's Password Storage Cheat Sheet.
  public static let standard = Argon2Parameters(memoryKiB: 19456, passes: 2)

  /// Reads `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<digest>`; nil for any other shape and beyond the limits above.
  init?(phc: String) {
    guard phc.utf8.count <= Self.phcBytesMax, !phc.utf8.contains(0) else { return nil }
    let fields = phc.split(separator: "$", omittingEmptySubsequences: false)
    guard fields.count == 6, fields[0].isEmpty, let variant = Variant(rawValue: String(fields[1])),
      let version = Self.number(fields[2], after: "v=")
    else { return nil }
    let costs = fields[3].split(separator: ",", omittingEmptySubsequences: false)
    guard costs.count == 3, let memory = Self.number(costs[0], after: "m="),
      let passes = Self.number(costs[1], after: "t="), let lanes = Self.number(costs[2], after: "p="),
      memory <= Self.memoryKiBMax, (1...Self.passesMax).contains(passes), (1...Self.lanesMax).contains(lanes)
    else { return nil }
    self.variant = variant
    self.version = version
    self.memoryKiB = memory
    self.passes = passes
    self.lanes = lanes
  }

  private static func number(_ field: Substring, after name: String) -> Int? {
    let digits = field.dropFirst(name.count)
    guard field.hasPrefix(name), (1...7).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
