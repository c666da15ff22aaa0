/// Who follows whom, who tweets how much and who likes what, in a made-up database: drawn, not stored.
///
/// Accounts are numbers from 0: the plain ones, then the viewers, then the quiet viewers. What is drawn for one thing
/// depends on the seed and on its number alone, so that rows are made as they are written and counts hold.
struct Population: Sendable {
  let plan: SeedPlan

  /// How many each follows, is followed by, and tweets.
  let followingCounts: [Int32]
  private(set) var followerCounts: [Int32]
  let tweetCounts: [Int32]
  /// The author of each tweet, and how many like it.
  let authors: [Int32]
  let likeCounts: [Int32]

  /// The plain accounts from the most popular to the least, and those of them that do not tweet any more.
  private let popular: [Int32]
  private let quiet: [Int32]
  /// Where each stands in `popular`, and in `quiet` (-1: not there).
  private let place: [Int32]
  private let quietPlace: [Int32]

  /// Of a hundred accounts so many never tweet; so many more stopped after a quarter of the year.
  private static let silentPercent = 45
  private static let stoppedPercent = 15
  private static let stoppedAfter = 0.25

  private static let popularity = 0.8
  private static let diligence = 0.7
  private static let curiosity = 0.6
  private static let fame = 0.7

  init(_ plan: SeedPlan) throws(SeedPlan.Trouble) {
    self.plan = plan
    let accounts = plan.accounts
    popular = Self.shuffled(accounts, plan.seed, .popularity)
    place = Self.places(of: popular, among: plan.people)
    var habits = (0..<accounts).map { Habit(seed: plan.seed, account: $0) }
    // Somebody speaks even among few.
    if let first = popular.first { habits[Int(first)] = .active }
    quiet = popular.filter { habits[Int($0)] != .active }
    quietPlace = Self.places(of: quiet, among: plan.people)
    if let most = plan.quietViewers.max(), most > quiet.count {
      throw SeedPlan.Trouble(
        text: "--quiet-viewers: of \(accounts) accounts \(quiet.count) are quiet; give more accounts, or follow fewer")
    }
    followingCounts = Self.followings(plan) + (plan.viewers + plan.quietViewers).map { Int32($0) }
    authors = Self.authors(plan, popular, habits)
    tweetCounts = Self.counted(authors, plan.people)
    likeCounts = Self.likes(plan)
    var followers = [Int32](repeating: 0, count: plan.people)
    followerCounts = []
    for person in 0..<plan.people { for followee in followees(of: person) { followers[Int(followee)] += 1 } }
    followerCounts = followers
  }

  /// Whether somebody tweets.
  private enum Habit {
    case silent, stopped, active

    init(seed: UInt64, account: Int) {
      var dice = Dice(seed: seed, .diligence, account)
      let percent = dice.below(100)
      self = percent < silentPercent ? .silent : percent < silentPercent + stoppedPercent ? .stopped : .active
    }
  }

  // MARK: Drawing

  /// Whom somebody follows, in no order; all different.
  func followees(of person: Int) -> [Int32] {
    let isQuiet = person >= plan.accounts + plan.viewers.count
    let (pool, places) = isQuiet ? (quiet, quietPlace) : (popular, place)
    var dice = Dice(seed: plan.seed, .followees, person)
    return Self.draw(
      Int(followingCounts[person]), from: pool, Skew(pool.count, exponent: isQuiet ? 0 : Self.popularity),
      but: places[person], &dice)
  }

  /// Who likes a tweet, in no order; all different.
  func likers(of tweet: Int) -> [Int32] {
    var dice = Dice(seed: plan.seed, .likers, tweet)
    return Self.draw(Int(likeCounts[tweet]), from: popular, Skew(popular.count, exponent: 0), but: -1, &dice)
  }

  /// Different ones from the pool, without the one at `excluded`.
  private static func draw(
    _ count: Int, from pool: [Int32], _ skew: Skew, but excluded: Int32, _ dice: inout Dice
  ) -> [Int32] {
    guard count > 0 else { return [] }
    var taken: Set<Int> = [Int(excluded)]
    var drawn: [Int32] = []
    drawn.reserveCapacity(count)
    for _ in 0..<count {
      var rank = skew.rank(&dice)
      var misses = 0
      while !taken.insert(rank).inserted {
        misses += 1
        // Where nearly all are taken, dice alone would take for ever.
        rank = misses < 8 ? skew.rank(&dice) : (rank + 1) % pool.count
      }
      drawn.append(pool[rank])
    }
    return drawn
  }

  private static func shuffled(_ count: Int, _ seed: UInt64, _ topic: Dice.Topic) -> [Int32] {
    var dice = Dice(seed: seed, topic, 0)
    var numbers = (0..<Int32(count)).map { $0 }
    for index in stride(from: count - 1, to: 0, by: -1) { numbers.swapAt(index, dice.below(index + 1)) }
    return numbers
  }

  private static func places(of list: [Int32], among people: Int) -> [Int32] {
    var places = [Int32](repeating: -1, count: people)
    for (place, person) in list.enumerated() { places[Int(person)] = Int32(place) }
    return places
  }

  private static func counted(_ numbers: [Int32], _ count: Int) -> [Int32] {
    var counts = [Int32](repeating: 0, count: count)
    for number in numbers { counts[Int(number)] += 1 }
    return counts
  }

  private static func followings(_ plan: SeedPlan) -> [Int32] {
    spread(
      plan.follows, over: shuffled(plan.accounts, plan.seed, .followings), exponent: curiosity,
      most: plan.accounts - 1, Dice(seed: plan.seed, .followings, 1))
  }

  private static func likes(_ plan: SeedPlan) -> [Int32] {
    let order = plan.likes == 0 ? (0..<Int32(plan.tweets)).map { $0 } : shuffled(plan.tweets, plan.seed, .likes)
    return spread(plan.likes, over: order, exponent: fame, most: plan.accounts, Dice(seed: plan.seed, .likes, 1))
  }

  /// Deals `total` out, more to those in front, at most `most` to each.
  private static func spread(
    _ total: Int, over order: [Int32], exponent: Double, most: Int, _ dice: Dice
  ) -> [Int32] {
    var counts = [Int32](repeating: 0, count: order.count)
    guard total > 0 else { return counts }
    var dice = dice
    let skew = Skew(order.count, exponent: exponent)
    for _ in 0..<total {
      var rank = skew.rank(&dice)
      while counts[Int(order[rank])] >= most { rank = (rank + 1) % order.count }
      counts[Int(order[rank])] += 1
    }
    return counts
  }

  private static func authors(_ plan: SeedPlan, _ popular: [Int32], _ habits: [Habit]) -> [Int32] {
    let active = popular.filter { habits[Int($0)] == .active }
    let early = popular.filter { habits[Int($0)] != .silent }
    let earlyTweets = Int(Double(plan.tweets) * stoppedAfter)
    let skews = (early: Skew(early.count, exponent: diligence), late: Skew(active.count, exponent: diligence))
    var dice = Dice(seed: plan.seed, .authors, 0)
    return (0..<plan.tweets).map { tweet in
      tweet < earlyTweets ? early[skews.early.rank(&dice)] : active[skews.late.rank(&dice)]
    }
  }
}
