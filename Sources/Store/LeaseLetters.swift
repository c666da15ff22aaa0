public import Postgres
public import Values

/// Takes letters that are due, for a while in which no other node takes them. A node that dies while it sends leaves
/// them due again when the lease ends.
public struct LeaseLetters: WriteStatement {
  public let count: Int
  public let leaseSeconds: Int

  public init(count: Int, leaseSeconds: Int) {
    self.count = count
    self.leaseSeconds = leaseSeconds
  }

  /// After this a letter is given up; see ``GiveUpLetters``.
  static let life = "interval '1 day'"

  public static let sql = """
    update outbox set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2::double precision)
    where id in (
      select id from outbox
      where sent_at is null and given_up_at is null and next_attempt_at <= now() and created_at > now() - \(life)
      order by next_attempt_at
      limit $1::integer
      for update skip locked
    )
    returning id, recipient, kind, language, username, secret, attempts, created_at
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(Int32(clamping: count))
    parameters.append(Double(leaseSeconds))
  }

  public func decode(_ rows: Rows) -> [LeasedLetter] { rows.map { LeasedLetter(&$0) } }
}

/// A letter in the hands of one node.
public struct LeasedLetter: Sendable {
  public let id: LetterID
  public let recipient: String
  /// Nil for a kind that only a later version knows.
  public let kind: LetterKind?
  public let language: Language
  public let username: String
  /// The token of its link.
  public let secret: String?
  /// The number of this attempt, from 1 on. It also names the lease: who holds an older one changes nothing any more.
  public let attempt: Int
  public let createdAtMicroseconds: Int64

  init(_ row: inout Row) {
    id = row.id()
    recipient = row.text()
    kind = LetterKind(rawValue: row.text())
    language = Language(rawValue: row.text()) ?? .english
    username = row.text()
    secret = row.optionalText()
    attempt = row.int32()
    createdAtMicroseconds = row.time()
  }
}
