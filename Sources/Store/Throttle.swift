import Postgres

/// How many uses of something are allowed in how many seconds. A `max` of 0 sets no limit.
public struct Allowance: Sendable, Equatable {
  public let max: Int
  public let seconds: Int

  public init(max: Int, seconds: Int) {
    self.max = max
    self.seconds = seconds
  }
}

/// The shared part of statements that count their use: limits that are exact over all nodes.
///
/// Check and count are one upsert, so that of many at once just `max` get through. A statement that counts must not
/// raise an error afterwards: that would roll the count back and make the limit free.
enum Throttle {
  /// A common table expression `<rule>_passed` with one row if this use is within the limit, else none.
  ///
  /// `subject`, `max` and `seconds` are SQL; `previous` is the expression that must have a row for the use to count at
  /// all. Expressions are chained in one order everywhere, so that two statements never wait for each other.
  static func count(_ rule: String, subject: String, max: String, seconds: String, after previous: String) -> String {
    """
    \(rule)_counted as (
      insert into throttle as seen (rule, subject, used, resets_at)
      select '\(rule)', \(subject), 1, now() + make_interval(secs => \(seconds)) from \(previous) where \(max) > 0
      on conflict (rule, subject) do update
      set used = case when seen.resets_at <= now() then 1 else seen.used + 1 end,
          resets_at = case when seen.resets_at <= now() then excluded.resets_at else seen.resets_at end,
          last_used_at = now()
      where seen.resets_at <= now() or seen.used < \(max)
      returning resets_at
    ),
    \(rule)_passed as (
      select true from \(previous) where \(max) = 0
      union all
      select true from \(rule)_counted
    )
    """
  }

  /// The window that ``count(_:subject:max:seconds:after:)`` counted in, as SQL: when it ends, null when nothing counted.
  static func window(of rule: String) -> String { "(select resets_at from \(rule)_counted)" }

  /// Until when the limit is spent, as SQL: null while it is not, as far as the statement's snapshot shows.
  static func spentUntil(_ rule: String, subject: String, max: String) -> String {
    """
    select resets_at as until, rule from throttle
    where rule = '\(rule)' and subject = \(subject) and used >= \(max) and \(max) > 0 and resets_at > now()
    """
  }

  /// The columns that ``SpentLimit`` reads: seconds until `blocked.until`, at least 1, and the rule, which is SQL.
  static func spent(_ rule: String) -> String {
    // By the clock, since another transaction that began later may have set the end: by now() that would be too far off.
    """
    greatest(1, coalesce(ceil(extract(epoch from blocked.until - clock_timestamp())), 1))::integer as retry_after,
    \(rule) as spent_rule
    """
  }
}

/// The window in which a use was counted, named by when it ends, so that giving the use back never takes one from the
/// window that followed. Where there is no limit, nothing was counted.
public struct CountWindow: Sendable, Equatable {
  let endMicroseconds: Int64?

  /// The window that ends so many microseconds after 1970 began; nil when nothing was counted.
  public init(endMicroseconds: Int64?) { self.endMicroseconds = endMicroseconds }

  init(_ row: inout Row) { endMicroseconds = row.optionalTime() }
}

/// A limit that is spent.
public struct SpentLimit: Sendable, Equatable {
  /// What the limit is called in the table `throttle`.
  public let rule: String
  /// The next use is allowed after so many seconds.
  public let retryAfterSeconds: Int

  public init(rule: String, retryAfterSeconds: Int) {
    self.rule = rule
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// Reads the columns of `Throttle.spent`.
  init(_ row: inout Row) {
    retryAfterSeconds = row.int32()
    rule = row.text()
  }

  /// All of them. Two more are silent, those of letters to an account that anybody may ask for.
  public static let rules = [
    "login_address", "login_account_address", "login_account", "register_address", "usernames_address",
    "tweets_account", "likes_account", "follows_account", "avatar_account", "export_account", "reset_address",
    "reminder_address", "verification_address", "verification_account", "change_address", "change_account",
  ]

  /// How many columns that are.
  static let columns = 2
}

/// What a counted statement answers.
public enum Counted<Value: Sendable>: Sendable {
  case allowed(Value)
  case spent(SpentLimit)
}

extension Counted {
  /// Reads the column `allowed` and those of `Throttle.spent`, then the value if it is allowed.
  init(_ row: inout Row, _ read: (inout Row) -> Value) {
    guard row.bool() else {
      self = .spent(SpentLimit(&row))
      return
    }
    row.skip(SpentLimit.columns)
    self = .allowed(read(&row))
  }
}

extension Parameters {
  /// `timestamptz`: the end of the window.
  mutating func append(_ window: CountWindow) { append(microsecondsSinceEpoch: window.endMicroseconds) }

  /// Two parameters: the maximum and the seconds.
  mutating func append(_ allowance: Allowance) {
    append(Int32(clamping: allowance.max))
    append(Double(allowance.seconds))
  }
}
