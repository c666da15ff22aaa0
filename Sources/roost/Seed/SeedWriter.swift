import Postgres
import Values

/// Writes made-up rows into a database, all or none, with the counts that belong to them.
struct SeedWriter {
  let rows: SeededRows
  /// Everybody's; nil when nobody may log in.
  let passwordHash: String?

  private var population: Population { rows.population }

  /// Why nothing is written.
  enum Obstacle {
    /// Though it was not said that there might be some.
    case hasAccounts
    case isSeeded
  }

  /// How many accounts there are; counts no further than to `most`.
  static func accounts(_ connection: BlockingConnection, most: Int) throws(PostgresError) -> Int {
    try connection.value("select count(*) from (select from account limit \(most)) as known").flatMap { Int($0) } ?? 0
  }

  /// `mayMix` is whether there may be accounts already, though never made-up ones. The transaction ends with the
  /// connection, if not before.
  func write(
    to connection: BlockingConnection, mayMix: Bool, _ progress: inout Progress
  ) throws(PostgresError) -> Obstacle? {
    // Sign-ups wait until it is done, so that what is looked at stays true.
    try connection.run("begin; lock table account in share row exclusive mode")
    if let obstacle = try Self.obstacle(connection, mayMix: mayMix) { return obstacle }
    try writeAll(connection, &progress)
    progress.begin("commit")
    try connection.run("commit")
    progress.end()
    progress.begin("analyze")
    for table in ["account", "credential", "tweet", "follow", "tweet_like"] {
      try connection.run("vacuum (analyze) \(table)")
    }
    progress.end()
    return nil
  }

  private static func obstacle(
    _ connection: BlockingConnection, mayMix: Bool
  ) throws(PostgresError) -> Obstacle? {
    let isSeeded = try connection.value(
      "select exists (select from account where email_folded like '%@' || $1)", [SeededRows.emailDomain])
    if isSeeded == "t" { return .isSeeded }
    if mayMix { return nil }
    return try accounts(connection, most: 1) > 0 ? .hasAccounts : nil
  }

  private func writeAll(_ connection: BlockingConnection, _ progress: inout Progress) throws(PostgresError) {
    try writeAccounts(connection, &progress)
    try writeCredentials(connection, &progress)
    try writeTweets(connection, &progress)
    try writeFollows(connection, &progress)
    try writeLikes(connection, &progress)
  }

  private func writeAccounts(_ connection: BlockingConnection, _ progress: inout Progress) throws(PostgresError) {
    progress.begin("accounts", of: rows.people.count)
    try connection.copy(
      into: "account",
      [
        "id", "username", "email", "email_verified_at", "full_name", "follower_count", "following_count", "tweet_count",
        "created_at",
      ]
    ) { (copy) throws(PostgresError) in
      for (index, person) in rows.people.enumerated() {
        try copy.beginRow()
        copy.append(person.id)
        copy.append(person.username)
        copy.append(person.email)
        copy.append(millisecondsSinceEpoch: person.createdAtMilliseconds)
        copy.append(person.fullName)
        copy.append(population.followerCounts[index])
        copy.append(population.followingCounts[index])
        copy.append(population.tweetCounts[index])
        copy.append(millisecondsSinceEpoch: person.createdAtMilliseconds)
        progress.reached(index)
      }
    }
    progress.end()
  }

  private func writeCredentials(_ connection: BlockingConnection, _ progress: inout Progress) throws(PostgresError) {
    guard let passwordHash else { return }
    progress.begin("passwords", of: rows.people.count)
    try connection.copy(into: "credential", ["account_id", "password_hash", "changed_at"]) {
      (copy) throws(PostgresError) in
      for (index, person) in rows.people.enumerated() {
        try copy.beginRow()
        copy.append(person.id)
        copy.append(passwordHash)
        copy.append(millisecondsSinceEpoch: person.createdAtMilliseconds)
        progress.reached(index)
      }
    }
    progress.end()
  }

  private func writeTweets(_ connection: BlockingConnection, _ progress: inout Progress) throws(PostgresError) {
    progress.begin("tweets", of: population.plan.tweets)
    try connection.copy(into: "tweet", ["id", "author_id", "text", "like_count", "created_at"]) {
      (copy) throws(PostgresError) in
      for (index, author) in population.authors.enumerated() {
        let tweet = rows.tweet(index)
        try copy.beginRow()
        copy.append(tweet.id)
        copy.append(rows.people[Int(author)].id)
        copy.append(tweet.text)
        copy.append(population.likeCounts[index])
        copy.append(millisecondsSinceEpoch: tweet.createdAtMilliseconds)
        progress.reached(index)
      }
    }
    progress.end()
  }

  private func writeFollows(_ connection: BlockingConnection, _ progress: inout Progress) throws(PostgresError) {
    progress.begin("follows", of: population.plan.allFollows)
    try connection.copy(into: "follow", ["id", "follower_id", "followee_id", "created_at"]) {
      (copy) throws(PostgresError) in
      var count = 0
      for (follower, person) in rows.people.enumerated() {
        var dice = Dice(seed: population.plan.seed, .follow, follower)
        for followee in population.followees(of: follower) {
          let (id, time): (ID<Follow>, Int64) = rows.someTime(&dice)
          try copy.beginRow()
          copy.append(id)
          copy.append(person.id)
          copy.append(rows.people[Int(followee)].id)
          copy.append(millisecondsSinceEpoch: time)
          count += 1
          progress.reached(count)
        }
      }
    }
    progress.end()
  }

  /// Marks the ids of follows.
  private enum Follow {}

  private func writeLikes(_ connection: BlockingConnection, _ progress: inout Progress) throws(PostgresError) {
    progress.begin("likes", of: population.plan.likes)
    try connection.copy(into: "tweet_like", ["tweet_id", "account_id", "created_at"]) { (copy) throws(PostgresError) in
      var count = 0
      for index in population.authors.indices where population.likeCounts[index] > 0 {
        let tweet = rows.tweet(index)
        var dice = Dice(seed: population.plan.seed, .like, index)
        for liker in population.likers(of: index) {
          try copy.beginRow()
          copy.append(tweet.id)
          copy.append(rows.people[Int(liker)].id)
          copy.append(millisecondsSinceEpoch: rows.someTime(after: tweet.createdAtMilliseconds, &dice))
          count += 1
          progress.reached(count)
        }
      }
    }
    progress.end()
  }
}

extension CopyRows {
  /// `uuid`
  fileprivate mutating func append<Tag>(_ id: ID<Tag>) {
    append(raw: id.bytes)
  }
}
