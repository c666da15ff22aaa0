import Postgres

/// The shared part of statements that write a letter because somebody asked for it: counted against the address that
/// asks, and against the account, or the text that is nobody's address, alike.
enum LetterThrottle {
  /// Whether those who ask hear that the account's limit is spent.
  enum Hearer {
    /// Who is signed in to the account.
    case owner
    /// Anybody: only the limit of their own address is told. A letter too many is not written, and that is all, so that
    /// no answer depends on what others asked for.
    case anybody
  }

  /// The common table expressions from `blocked` to `<rule>_account_passed`, which has a row if the request is within
  /// both limits. It counts nothing when `subject` has no row.
  ///
  /// `subject` is a relation with the column `name`. `first` is the number of the parameter that holds the address's
  /// bucket; ``LetterAllowances`` follow it.
  static func count(_ rule: String, for hearer: Hearer, from first: Int) -> String {
    let address = "$\(first)::text"
    let (addressMax, addressSeconds) = ("$\(first + 1)::integer", "$\(first + 2)::double precision")
    let (accountMax, accountSeconds) = ("$\(first + 3)::integer", "$\(first + 4)::double precision")
    let account = "(select name from subject)"
    var spent = [Throttle.spentUntil("\(rule)_address", subject: address, max: addressMax)]
    if hearer == .owner { spent.append(Throttle.spentUntil("\(rule)_account", subject: account, max: accountMax)) }
    return """
      blocked as (
        select max(until) as until, (array_agg(rule order by until desc))[1] as rule
        from (\(spent.joined(separator: " union all "))) as spent
      ),
      start as (
        select true from blocked where until is null and exists (select from subject)
      ),
      \(Throttle.count("\(rule)_address", subject: address, max: addressMax, seconds: addressSeconds, after: "start")),
      \(Throttle.count("\(rule)_account", subject: account, max: accountMax, seconds: accountSeconds, after: "\(rule)_address_passed"))
      """
  }

  /// The first columns of the answer, which `Counted` reads.
  static func columns(_ rule: String, for hearer: Hearer) -> String {
    let passed = hearer == .owner ? "\(rule)_account_passed" : "\(rule)_address_passed"
    return "exists (select from \(passed)) as allowed, \(Throttle.spent("coalesce(blocked.rule, '\(rule)_address')"))"
  }
}

/// How often letters may be asked for.
public struct LetterAllowances: Sendable, Equatable {
  public let perAddress: Allowance
  public let perAccount: Allowance

  public init(perAddress: Allowance, perAccount: Allowance) {
    self.perAddress = perAddress
    self.perAccount = perAccount
  }
}

extension Parameters {
  /// Four parameters: per address and per account, a maximum and seconds each.
  mutating func append(_ allowances: LetterAllowances) {
    append(allowances.perAddress)
    append(allowances.perAccount)
  }
}
