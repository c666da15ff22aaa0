public import Postgres
public import Secrets

/// Redeems a link that was mailed to an address: it is verified, and becomes the account's if a change was asked for.
///
/// Raises `unique_violation` of `account_email_key` when another account takes the address at this very moment.
public struct ConfirmEmail: WriteStatement {
  public let token: TokenDigest
  public let stamp: AuditStamp

  public init(token: TokenDigest, stamp: AuditStamp) {
    self.token = token
    self.stamp = stamp
  }

  /// What became of it.
  public enum Outcome: Sendable, Equatable {
    case confirmed(AccountRow)
    /// Another account has the address. The link stays good, should it come free.
    case taken
    /// There is no such link, or no more.
    case expired
  }

  /// `$1` the token, `$2` `$3` the stamp. The collation is that of the index on folded addresses. Deleting the row is
  /// what makes the link good once: of many at the same moment one finds it.
  public static let sql = """
    with good as (
      select link.token_digest, link.account_id, link.purpose, link.email,
             exists (
               select from account as other
               where other.email_folded = lower(link.email collate "C") collate "default" and other.id <> link.account_id
             ) as is_taken
      from link
      join account on account.id = link.account_id
      where link.token_digest = $1::bytea and link.expires_at > now() and account.disabled_at is null
        and case link.purpose
              when 'email_change' then link.epoch = account.session_epoch
              when 'email_verification' then link.email = account.email
              else false
            end
    ),
    used as (
      delete from link using good
      where link.token_digest = good.token_digest and not good.is_taken
      returning link.account_id, link.purpose, link.email
    ),
    confirmed as (
      update account set email = used.email, email_verified_at = now()
      from used where account.id = used.account_id
      returning account.*
    ),
    voided as (
      delete from link using used
      where link.account_id = used.account_id and link.token_digest <> $1::bytea and used.purpose = 'email_change'
    ),
    event as (
      select account_id, case purpose when 'email_change' then 'email_changed' else 'email_verified' end as kind from used
    ),
    audited as (
      insert into audit_event (id, account_id, kind, ip)
      select $2::uuid, event.account_id, event.kind, $3::text::inet from event
    )
    select coalesce((select is_taken from good), false) as is_taken, \(AccountRow.columns)
    from (select) as always
    left join confirmed as account on true
    """

  public func bind(to parameters: inout Parameters) {
    parameters.append(token)
    parameters.append(stamp)
  }

  public func decode(_ rows: Rows) -> Outcome {
    var row = rows[0]
    if row.bool() { return .taken }
    return row.isNextNull ? .expired : .confirmed(AccountRow(&row))
  }
}
