/// How many of each a seeded database gets.
struct SeedPlan: Sendable, Equatable {
  /// `seed_000001` and so on.
  var accounts = 1_000
  var tweets = 0
  var follows = 0
  var likes = 0
  /// Further accounts, `viewer_100` and so on, that follow so many each.
  var viewers: [Int] = []
  /// Further accounts, `quiet_100` and so on, that follow so many who never tweeted, or not for long.
  var quietViewers: [Int] = []
  /// What the dice begin with.
  var seed: UInt64 = 1

  static let accountsMax = 10_000_000
  static let rowsMax = 1_000_000_000
  static let viewersMax = 100

  static let options = [
    Command.Option(flag: "--accounts", placeholder: "N", help: "so many accounts [1000]"),
    Command.Option(flag: "--tweets", placeholder: "N", help: "so many tweets [10 for each account]"),
    Command.Option(flag: "--follows", placeholder: "N", help: "so many follow another [20 for each account]"),
    Command.Option(flag: "--likes", placeholder: "N", help: "so many likes [20 for each account]"),
    Command.Option(
      flag: "--viewers", placeholder: "N,...", help: "besides: accounts viewer_N that follow exactly N accounts each"),
    Command.Option(
      flag: "--quiet-viewers", placeholder: "N,...",
      help: "besides: accounts quiet_N that follow N accounts without a tweet in the last 9 months"),
    Command.Option(flag: "--seed", placeholder: "N", help: "another number makes another database [1]"),
  ]

  /// All accounts: the plain ones, then the viewers, then the quiet ones.
  var people: Int { accounts + viewers.count + quietViewers.count }

  /// The follows of plain accounts and of viewers.
  var allFollows: Int { follows + viewers.reduce(0, +) + quietViewers.reduce(0, +) }

  struct Trouble: Error, Equatable {
    let text: String
  }

  init() {}

  /// Reads the flags. Where one is missing, there is as much for each account as the help says, as far as possible.
  init(_ flags: [String: String]) throws(Trouble) {
    func number(_ flag: String, _ standard: Int, max: Int) throws(Trouble) -> Int {
      guard let text = flags[flag] else { return min(standard, max) }
      guard let number = Self.number(text, in: 0...max) else {
        throw Trouble(text: "\(flag) \(Mistake.quoted(text)): give a whole number from 0 to \(max)")
      }
      return number
    }
    accounts = try number("--accounts", 1_000, max: Self.accountsMax)
    let pairs = min(accounts * max(0, accounts - 1), Self.rowsMax)
    tweets = try number("--tweets", accounts * 10, max: accounts == 0 ? 0 : Self.rowsMax)
    follows = try number("--follows", accounts * 20, max: pairs)
    likes = try number("--likes", accounts * 20, max: min(tweets * accounts, Self.rowsMax))
    viewers = try Self.list("--viewers", flags, max: accounts)
    quietViewers = try Self.list("--quiet-viewers", flags, max: accounts)
    seed = UInt64(try number("--seed", 1, max: Int.max))
  }

  private static func list(_ flag: String, _ flags: [String: String], max: Int) throws(Trouble) -> [Int] {
    guard let text = flags[flag] else { return [] }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { number($0, in: 0...max) }
    guard numbers.count == text.count(where: { $0 == "," }) + 1, Set(numbers).count == numbers.count,
      numbers.count <= viewersMax
    else {
      throw Trouble(
        text: "\(flag) \(Mistake.quoted(text)): give different whole numbers from 0 to \(max), with commas between them"
      )
    }
    return numbers
  }

  /// `1000000`, also as `1_000_000`.
  private static func number(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    Digits.number(String(text.filter { $0 != "_" }), in: range)
  }
}
