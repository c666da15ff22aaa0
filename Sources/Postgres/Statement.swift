/// One SQL statement with its parameters and the reading of its rows.
///
/// A statement is a value: `sql` is the same text for all of its type and is prepared once per connection; the stored
/// properties are this call's parameters. Nothing of a parameter is ever part of the text.
public protocol Statement: Sendable {
  associatedtype Answer: Sendable

  /// The text, with `$1`, `$2` and so on. Its types must be plain from the text itself (`$1::text`).
  static var sql: String { get }

  /// Whether it may change rows.
  static var effect: StatementEffect { get }

  /// A row that many calls may want to change at once; nil for most statements.
  var contendedRow: ContendedRow? { get }

  /// Appends the parameters in the order of their numbers.
  func bind(to parameters: inout Parameters)

  /// What the rows say. They are valid only during the call.
  func decode(_ rows: Rows) -> Answer
}

extension Statement {
  /// None, unless a statement says otherwise.
  public var contendedRow: ContendedRow? { nil }
}

/// A row whose lock is likely to be wanted by many at once: the tweet that everybody likes.
///
/// Calls that name the same row, and are under way together, share a connection of their pool. There they queue, while
/// the other connections are free for what does not want that row: a hot row does not stall a node's other writes.
public struct ContendedRow: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// A row that is known by a name; two names may, very rarely, count as one row, which costs nothing but time.
  public init(named name: String) {
    self.init(high: 0, low: UInt64(bitPattern: Int64(name.hashValue)))
  }

  /// The two halves of the row's UUID, which is all that tells one row from another.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// Whether a statement reads or writes, hence which connections it takes and what may be done when one breaks.
public enum StatementEffect: Sendable {
  /// Changes nothing: shares a round trip with its neighbours and may be sent again.
  case reads
  /// Changes rows: has a transaction of its own, and is never sent twice unless the server rolled it back.
  case writes
}

/// A statement that only reads.
public protocol ReadStatement: Statement {}

extension ReadStatement {
  public static var effect: StatementEffect { .reads }
}

/// A statement that changes rows.
public protocol WriteStatement: Statement {}

extension WriteStatement {
  public static var effect: StatementEffect { .writes }
}
