import Values

/// The ids, times, names and words of a made-up database: everything in its rows but who and how much.
struct SeededRows: Sendable {
  let population: Population
  let people: [Person]

  /// A year is told: accounts are from the year before it.
  private let startMilliseconds: Int64
  private static let yearMilliseconds: Int64 = 365 * 86_400_000
  private static let dayMilliseconds: Int64 = 86_400_000

  struct Person: Sendable {
    let id: AccountID
    let username: String
    let fullName: String
    let createdAtMilliseconds: Int64

    var email: String { "\(username)@\(SeededRows.emailDomain)" }
  }

  struct Tweet: Sendable {
    let id: TweetID
    let text: String
    let createdAtMilliseconds: Int64
  }

  /// Nobody has an address there (RFC 2606).
  static let emailDomain = "seed.example"

  /// The year ends with the midnight (UTC) before `nowMilliseconds`.
  init(_ population: Population, nowMilliseconds: Int64) {
    self.population = population
    let start = nowMilliseconds / Self.dayMilliseconds * Self.dayMilliseconds - Self.yearMilliseconds
    startMilliseconds = start
    let plan = population.plan
    let names = Self.usernames(plan)
    people = names.enumerated().map { index, name in
      var dice = Dice(seed: plan.seed, .person, index)
      let time = start - Self.yearMilliseconds + Self.share(index, of: names.count, &dice)
      return Person(
        id: Self.id(time, &dice), username: name, fullName: SeededWords.name(&dice), createdAtMilliseconds: time)
    }
  }

  /// In the order of their times.
  func tweet(_ index: Int) -> Tweet {
    var dice = Dice(seed: population.plan.seed, .tweet, index)
    let time = startMilliseconds + Self.share(index, of: population.plan.tweets, &dice)
    return Tweet(id: Self.id(time, &dice), text: SeededWords.tweet(&dice), createdAtMilliseconds: time)
  }

  /// Some time of the year, and an id made then.
  func someTime<Tag>(_ dice: inout Dice) -> (id: ID<Tag>, milliseconds: Int64) {
    let time = startMilliseconds + Int64(dice.below(Int(Self.yearMilliseconds)))
    return (Self.id(time, &dice), time)
  }

  /// Some time between this and the end of the year.
  func someTime(after milliseconds: Int64, _ dice: inout Dice) -> Int64 {
    milliseconds + Int64(dice.below(Int(startMilliseconds + Self.yearMilliseconds - milliseconds)))
  }

  /// Numbers of one width, so that names sort as they count.
  private static func usernames(_ plan: SeedPlan) -> [String] {
    let width = max(6, "\(plan.accounts)".count)
    let plain = (0..<plan.accounts).map { index in
      let digits = "\(index + 1)"
      return "seed_" + String(repeating: "0", count: width - digits.count) + digits
    }
    return plain + plan.viewers.map { "viewer_\($0)" } + plan.quietViewers.map { "quiet_\($0)" }
  }

  /// Milliseconds from the beginning of a year for one of `count` things that are spread over it in order.
  private static func share(_ index: Int, of count: Int, _ dice: inout Dice) -> Int64 {
    Int64((Double(index) + dice.fraction()) / Double(count) * Double(yearMilliseconds - 1))
  }

  /// A UUID of version 7 made at that time.
  private static func id<Tag>(_ milliseconds: Int64, _ dice: inout Dice) -> ID<Tag> {
    let fraction = dice.next() & 0xfff
    return ID(high: UInt64(milliseconds) << 16 | 0x7000 | fraction, low: dice.next() >> 2 | 1 << 63)
  }
}
