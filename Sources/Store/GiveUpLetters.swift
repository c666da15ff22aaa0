public import Postgres
public import Values

/// Gives up letters that could not be sent for a day, and takes the tokens of their links out of the rows.
public struct GiveUpLetters: WriteStatement {
  public init() {}

  /// So many at a time.
  public static let lettersMax = 100

  /// A letter that was given up, and what the mail server said last.
  public struct GivenUp: Sendable, Equatable {
    public let id: LetterID
    public let kind: String
    public let attempts: Int
    public let reason: String?
  }

  public static let sql = """
    update outbox set given_up_at = now(), secret = null
    where id in (
      select id from outbox
      where sent_at is null and given_up_at is null and next_attempt_at <= now()
        and created_at <= now() - \(LeaseLetters.life)
      order by next_attempt_at
      limit \(lettersMax)
      for update skip locked
    )
    returning id, kind, attempts, last_error
    """

  public func bind(to parameters: inout Parameters) {}

  public func decode(_ rows: Rows) -> [GivenUp] {
    rows.map { row in
      let (id, kind, attempts): (LetterID, String, Int) = (row.id(), row.text(), row.int32())
      return GivenUp(id: id, kind: kind, attempts: attempts, reason: row.optionalText())
    }
  }
}
