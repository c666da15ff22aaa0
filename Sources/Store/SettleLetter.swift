public import Postgres
public import Values

/// Notes what became of an attempt to send a letter. It changes nothing when the lease has passed to another node.
public struct SettleLetter: WriteStatement {
  public let id: LetterID
  public let attempt: Int
  public let outcome: Outcome

  /// What became of the attempt; the reasons hold no secret.
  public enum Outcome: Sendable, Equatable {
    case sent
    case retry(afterSeconds: Double, reason: String)
    case givenUp(reason: String)
  }

  public init(id: LetterID, attempt: Int, outcome: Outcome) {
    self.id = id
    self.attempt = attempt
    self.outcome = outcome
  }

  /// `$1` letter, `$2` attempt, `$3` what became of it, `$4` seconds until the next, `$5` reason. The link's token
  /// leaves the row with the letter.
  public static let sql = """
    update outbox
    set sent_at = case when $3::text = 'sent' then now() end,
        given_up_at = case when $3::text = 'given_up' then now() end,
        secret = case when $3::text = 'retry' then secret end,
        next_attempt_at = case when $3::text = 'retry' then now() + make_interval(secs => $4::double precision)
                               else next_attempt_at end,
        last_error = left($5::text, 500)
    where id = $1::uuid and attempts = $2::integer and sent_at is null and given_up_at is null
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(id)
    parameters.append(Int32(clamping: attempt))
    switch outcome {
    case .sent:
      parameters.append("sent")
      parameters.append(0.0)
      parameters.appendNull()
    case .retry(let seconds, let reason):
      parameters.append("retry")
      parameters.append(seconds)
      parameters.append(reason)
    case .givenUp(let reason):
      parameters.append("given_up")
      parameters.append(0.0)
      parameters.append(reason)
    }
  }

  public func decode(_ rows: Rows) {}
}
