/// The identity of a row: a UUID (RFC 9562), kept as 16 bytes without a heap allocation.
///
/// `Tag` only keeps the ids of different things apart. Ids made by ``IDSource`` sort by the time they were made.
public struct ID<Tag>: Hashable, Sendable, Comparable {
  /// The first eight bytes, as a big-endian number.
  public let high: UInt64
  /// The last eight bytes, as a big-endian number.
  public let low: UInt64

  /// The first and the last eight bytes, read as big-endian numbers.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The 16 bytes of PostgreSQL's binary `uuid`; nil for any other length.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  public init?(bytes: [UInt8]) {
    guard let id = bytes.withUnsafeBytes({ Self(bytes: $0) }) else { return nil }
    self = id
  }

  /// Reads the canonical form of 36 characters in upper or lower case; nil for anything else: no braces, no
  /// `urn:uuid:`, no missing hyphens.
  public init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ Self(canonical: $0) }) else { return nil }
    self = id
  }

  private init?(canonical utf8: UnsafeBufferPointer<UInt8>) {
    guard utf8.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (place, character) in utf8.enumerated() {
      if UUIDText.isHyphen(place) {
        guard character == UUIDText.hyphen else { return nil }
        continue
      }
      guard let nibble = UUIDText.nibble(character) else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | nibble
    }
    self.init(high: high, low: low)
  }

  /// The bytes in network order, as PostgreSQL's binary `uuid` wants them.
  public func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }

  /// A copy of the 16 bytes in network order.
  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// Appends the 36 characters in lower case, for answers encoded by hand.
  public func append(to text: inout [UInt8]) {
    UUIDText.append(high, low, to: &text)
  }

  /// Milliseconds since 1970 at which the id was made; means nothing for a UUID that is not version 7.
  public var millisecondsSinceEpoch: UInt64 { high >> 16 }

  /// The smallest id that ``IDSource`` could have made at this time: a place in a list that is ordered by time.
  public static func first(atMillisecondsSinceEpoch milliseconds: UInt64) -> Self {
    Self(high: milliseconds << 16, low: 0)
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ID: CustomStringConvertible {
  /// The canonical form in lower case.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

/// Marks the ids of accounts.
public enum AccountTag {}
/// Marks the ids of sessions.
public enum SessionTag {}
/// Marks the ids of tweets.
public enum TweetTag {}
/// Marks the ids of follows.
public enum FollowTag {}
/// Marks ids of letters.
public enum LetterTag {}
/// Marks ids of events in the audit.
public enum AuditEventTag {}

/// Names an account.
public typealias AccountID = ID<AccountTag>
/// Names a session, and opens nothing.
public typealias SessionID = ID<SessionTag>
/// Names a tweet; a later tweet has a greater one.
public typealias TweetID = ID<TweetTag>
/// Names that one account follows another; a later follow has a greater one.
public typealias FollowID = ID<FollowTag>
/// Names a letter in the outbox.
public typealias LetterID = ID<LetterTag>
/// Names an event in the audit.
public typealias AuditEventID = ID<AuditEventTag>
