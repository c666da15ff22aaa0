/// The shared part of statements that count a password before it is compared, and give the attempt back afterwards.
///
/// Three counters, taken and given back in one order everywhere: the account from one address, the address, and the
/// account from all addresses together.
enum LoginThrottle {
  /// The five parameters of a count, from the address's bucket on.
  struct Placeholders {
    let address: String
    let addressMax: String
    let addressSeconds: String
    let pairMax: String
    let pairSeconds: String
    let inARowMax: String

    /// `first` is the number of the parameter that holds the address's bucket; the allowances follow it.
    init(from first: Int) {
      address = "$\(first)::text"
      addressMax = "$\(first + 1)::integer"
      addressSeconds = "$\(first + 2)::double precision"
      pairMax = "$\(first + 3)::integer"
      pairSeconds = "$\(first + 4)::double precision"
      inARowMax = "$\(first + 5)::integer"
    }
  }

  /// The common table expression `subject`: what the attempt counts under, and whether it comes from where the account
  /// has a session. `known` is a relation with the account's `id` and `session_epoch`; `login` is SQL for its name.
  static func subject(_ login: String, from relation: String, address: String) -> String {
    """
    subject as (
      select \(login) as login,
             exists (
               select from session join known on known.id = session.account_id
               where session.ip <<= \(address)::cidr and session.epoch = known.session_epoch and session.expires_at > now()
             ) as is_at_home
      \(relation)
    )
    """
  }

  /// The common table expressions from `blocked` to `login_account_passed`, which has a row if the attempt is within
  /// all limits. It counts nothing when `subject` has no row.
  ///
  /// After so many failures in a row one attempt a minute is left, but not for an address where the account has a
  /// session: those who attack an account from many places do not lock its owner out at home.
  static func count(_ place: Placeholders) -> String {
    let pair = "((select login from subject) || ' ' || \(place.address))"
    return """
      blocked as (
        select max(until) as until, (array_agg(rule order by until desc))[1] as rule
        from (
          \(Throttle.spentUntil("login_account_address", subject: pair, max: place.pairMax))
          union all
          \(Throttle.spentUntil("login_address", subject: place.address, max: place.addressMax))
          union all
          select last_used_at + interval '1 minute', rule from throttle, subject
          where rule = 'login_account' and throttle.subject = subject.login and used >= \(place.inARowMax)
            and \(place.inARowMax) > 0 and last_used_at > now() - interval '1 minute' and not subject.is_at_home
        ) as spent
      ),
      start as (
        select true from blocked where until is null and exists (select from subject)
      ),
      \(Throttle.count("login_account_address", subject: pair, max: place.pairMax, seconds: place.pairSeconds, after: "start")),
      \(Throttle.count("login_address", subject: place.address, max: place.addressMax, seconds: place.addressSeconds, after: "login_account_address_passed")),
      login_account_counted as (
        insert into throttle as seen (rule, subject, used, resets_at)
        select 'login_account', subject.login, 1, now() + interval '1 day'
        from login_address_passed, subject where \(place.inARowMax) > 0
        on conflict (rule, subject) do update
        set used = case when seen.resets_at <= now() then 1 else seen.used + 1 end,
            resets_at = excluded.resets_at, last_used_at = now()
        where seen.resets_at <= now() or seen.used < \(place.inARowMax) or seen.last_used_at <= now() - interval '1 minute'
           or (select is_at_home from subject)
        returning true
      ),
      login_account_passed as (
        select true from login_address_passed where \(place.inARowMax) = 0
        union all
        select true from login_account_counted
      )
      """
  }

  /// The window of the address that the attempt was counted in, as a column for the candidate.
  static let window = Throttle.window(of: "login_address") + " as address_window"

  /// The rule that is spent: the one that lasts longest. When another attempt has just taken the last use, nobody knows
  /// which of them it was.
  static let rule = "coalesce(blocked.rule, 'login_account_address')"

  /// Common table expressions that give the attempt back, as soon as `condition` holds: the password was right.
  ///
  /// `account` is SQL for the account's id, `address` for the bucket that it was counted under, `window` for the window
  /// of the address. They follow the order of the count, hence each refers to the one before.
  static func forgive(account: String, address: String, window: String, if condition: String) -> String {
    """
    pair_forgiven as (
      delete from throttle
      where rule = 'login_account_address' and subject = \(account)::text || ' ' || \(address) and \(condition)
      returning true
    ),
    address_forgiven as (
      update throttle set used = used - 1
      where rule = 'login_address' and subject = \(address) and used > 0 and resets_at = \(window)::timestamptz
        and \(condition)
        and (select count(*) from pair_forgiven) >= 0
      returning true
    ),
    account_forgiven as (
      delete from throttle
      where rule = 'login_account' and subject = \(account)::text and \(condition)
        and (select count(*) from address_forgiven) >= 0
    )
    """
  }
}
