import Postgres
import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The database goes away and comes back; the server stays, says so quickly, and needs no restart.
@Suite(.onThreads) struct OutageTests {
  /// The longest that a request may take without a database.
  private static let answerTime = Duration.seconds(2)

  /// Reads and writes are 503, each within two seconds, and the server itself is well.
  ///
  /// Other tests run at the same time: of several tries at once the quickest counts.
  private func expectUnavailable(_ server: TestServer, _ ada: Visitor, _ person: Person) throws {
    let calls: [@Sendable () throws -> HTTPClient.Response] = [
      { try ada.me() }, { try ada.get("/v1/feed") }, { try ada.tweet("Into the void") },
      { try ada.with(token: nil).logIn(person.username, person.password) },
      { try ada.with(token: nil).register(Person()) },
      { try ada.get("/v1/usernames/bird") }, { try ada.signOut() },
    ]
    let tries = 2
    let answers = try atOnce(calls.count * tries) { index in
      let start = ContinuousClock.now
      let answer = try calls[index % calls.count]()
      return (answer: answer, time: ContinuousClock.now - start)
    }
    for (index, (answer, _)) in answers.enumerated() {
      #expect(answer.status == 503, "call \(index % calls.count): \(answer)\n\(server.lastWords)")
      if answer.status == 503 { try answer.problem(.databaseUnavailable) }
    }
    for call in calls.indices {
      let quickest = stride(from: call, to: answers.count, by: calls.count).map { answers[$0].time }.min()
      #expect(try #require(quickest) < Self.answerTime, "call \(call)")
    }
    try ada.get("/readyz").problem(.notReady)
    try ada.get("/healthz").expect(200)
    try ada.get("/nowhere").expect(404)
  }

  @Test func `a database that is stopped and started again`() throws {
    let cluster = try OwnCluster()
    let server = try TestServer(cluster.target)
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    let tweet: Tweet = try ada.tweet("Before").expect(201).decoded()
    for _ in 0..<2 {
      try cluster.stop()
      try expectUnavailable(server, ada, person)
      try cluster.start()
      #expect(try eventually { try ada.me().status == 200 }, "\(server.lastWords)")
      try ada.get("/readyz").expect(200)
    }
    #expect(try ada.get("/v1/feed").decoded(Page<Tweet>.self).items == [tweet])
    try ada.tweet("After").expect(201)
    try Visitor(server).logIn(person.username, person.password).expect(201)
    #expect(server.log.contains(#""event":"database_away""#))
    #expect(server.log.contains(#""event":"database_back""#))
    #expect(!server.log.contains(#""level":"error""#))
  }

  @Test(.enabled(if: access("/proc/self/stat", R_OK) == 0))
  func `a database that hangs, and comes to itself`() throws {
    let cluster = try OwnCluster()
    let server = try TestServer(cluster.target)
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    try ada.tweet("Before").expect(201)
    cluster.hang()
    defer { cluster.goOn() }
    try expectUnavailable(server, ada, person)
    // A second time, now that the connections are given up.
    try expectUnavailable(server, ada, person)
    cluster.goOn()
    #expect(try eventually { try ada.get("/readyz").status == 200 }, "\(server.lastWords)")
    // What was asked while it hung may have been done meanwhile, the sign-out too.
    let again = try Visitor(server).loggedIn(person)
    try again.me().expect(200)
    try again.tweet("After").expect(201)
  }

  @Test func `a server that starts before its database waits for it`() throws {
    let cluster = try OwnCluster()
    try cluster.stop()
    let starting = Collected<Result<TestServer, any Error>>()
    inBackground { [target = cluster.target] in starting.append(Result { try TestServer(target) }) }
    sleepMilliseconds(1_500)
    #expect(starting.count == 0)
    try cluster.start()
    #expect(eventually(withinSeconds: 30) { starting.count == 1 })
    let server = try #require(starting.all.first).get()
    try Visitor(server).signedUp().me().expect(200)
    #expect(server.log.contains(#""event":"database_unavailable""#))
  }

  @Test func `all connections cut under load: no wrong answer, and no end to it`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database, settings: ["LIMIT_TWEETS_ACCOUNT": "0"])
    let people = try atOnce(3) { _ in
      let visitor = try Visitor(server).signedUp()
      return (visitor: visitor, account: try visitor.me().decoded(Account.self))
    }
    let statuses = Collected<String>()
    let isOver = Collected<Bool>()
    let done = Collected<Int>()
    for (index, person) in people.enumerated() {
      inBackground {
        while isOver.count == 0 {
          let me = try? person.visitor.me()
          let feed = try? person.visitor.get("/v1/feed?limit=5")
          let tweet = try? person.visitor.tweet("Tweet of \(person.account.username)")
          statuses.append("me \(me?.status ?? 0)")
          statuses.append("feed \(feed?.status ?? 0)")
          statuses.append("tweet \(tweet?.status ?? 0)")
          // An answer may be missing, but must never be another one's.
          if let me, me.status == 200, try! me.decoded(Account.self).id != person.account.id {
            statuses.append("me wrong")
          }
          if let feed, feed.status == 200 {
            let isMine = try! feed.decoded(Page<Tweet>.self).items.allSatisfy { $0.author.id == person.account.id }
            if !isMine { statuses.append("feed wrong") }
          }
          if let tweet, tweet.status == 201, try! tweet.decoded(Tweet.self).author.id != person.account.id {
            statuses.append("tweet wrong")
          }
        }
        done.append(index)
      }
    }
    for _ in 0..<8 {
      sleepMilliseconds(150)
      _ = try database.rows(
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """)
    }
    sleepMilliseconds(300)
    isOver.append(true)
    #expect(eventually { done.count == people.count })
    let counts = statuses.all.counted
    let allowed: Set = ["me 200", "me 503", "feed 200", "feed 503", "tweet 201", "tweet 503"]
    #expect(Set(counts.keys).isSubset(of: allowed), "\(counts)\n\(server.lastWords)")
    #expect(try eventually { try people[0].visitor.me().status == 200 })
    for person in people { try person.visitor.tweet("After").expect(201) }
    // What was counted stands.
    let isRight = try database.value(
      "select bool_and(tweet_count = (select count(*) from tweet where author_id = account.id)) from account")
    #expect(isRight == "t")
  }

  @Test func `errors of the database that are none of its absence are 500, and say nothing of it`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    _ = try database.rows("alter table account rename column bio to biography")
    let answer = try ada.me()
    let problem = try answer.problem(.internalError)
    for word in ["biography", "bio", "column", "select", "account", "roost_test"] {
      #expect(!answer.text.contains(word))
    }
    let line = server.log.split(separator: "\n").first { $0.contains(#""event":"internal_error""#) }
    #expect(line?.contains(problem.requestId ?? "none") == true)
    try ada.get("/v1/feed").expect(200)
    _ = try database.rows("alter table account rename column biography to bio")
    #expect(try eventually { try ada.me().status == 200 })
  }
}
