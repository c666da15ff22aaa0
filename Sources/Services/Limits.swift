public import Store

/// How often each thing may be done: the one table of all limits, counted in PostgreSQL over all nodes.
public struct Limits: Sendable {
  /// Log-ins that fail, from one address.
  public var loginPerAddress = Allowance(max: 60, seconds: 15 * 60)
  /// Log-ins that fail, at one account from one address.
  public var loginPerAccountAndAddress = Allowance(max: 10, seconds: 15 * 60)
  /// Log-ins in a row that fail, at one account from all addresses together, before each further one waits a minute.
  public var loginInARowPerAccount = 100
  /// Sign-ups, also those that find a name taken, from one address.
  public var registerPerAddress = Allowance(max: 20, seconds: 60 * 60)
  /// Questions whether a username is free, from one address.
  public var usernamesPerAddress = Allowance(max: 120, seconds: 60)
  /// Tweets of one account.
  public var tweetsPerAccount = Allowance(max: 300, seconds: 60 * 60)
  /// Tweets that one account begins to like.
  public var likesPerAccount = Allowance(max: 1_000, seconds: 60 * 60)
  /// Accounts that one account begins to follow.
  public var followsPerAccount = Allowance(max: 1_000, seconds: 60 * 60)
  /// Profile photos uploaded to one account, also those that are refused.
  public var avatarsPerAccount = Allowance(max: 20, seconds: 60 * 60)
  /// Exports of one account.
  public var exportsPerAccount = Allowance(max: 10, seconds: 60 * 60)
  /// Letters of one kind that somebody asks for without a session or with one, from one address.
  public var lettersPerAddress = Allowance(max: 20, seconds: 60 * 60)
  /// Letters of one kind to one account.
  public var lettersPerAccount = Allowance(max: 5, seconds: 60 * 60)

  public init() {}

  /// What the limits are called that requests are refused for. Each loop keeps the last one by itself.
  public static let rules = SpentLimit.rules + [liveRule]

  /// Live feeds of one account.
  static let liveRule = "live_account"

  var letters: LetterAllowances { LetterAllowances(perAddress: lettersPerAddress, perAccount: lettersPerAccount) }

  var login: LoginAllowances {
    LoginAllowances(
      perAddress: loginPerAddress, perAccountAndAddress: loginPerAccountAndAddress,
      inARowPerAccount: loginInARowPerAccount)
  }
}
