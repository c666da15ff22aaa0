import Postgres
import RoostAPI
import TestSupport
import Testing

/// `GET /v1/feed/live`: new tweets of the viewer's home feed, as they are committed, on any node.
@Suite(.onThreads) struct LiveFeedTests {
  private static func follow(_ database: TestDatabase, _ follower: String, _ followee: String) throws {
    _ = try database.rows(
      """
      insert into follow (id, follower_id, followee_id)
      select gen_random_uuid(), a.id, b.id from account a, account b where a.username = $1 and b.username = $2
      """, [follower, followee])
    _ = try database.rows("update account set follower_count = follower_count + 1 where username = $1", [followee])
    _ = try database.rows("update account set following_count = following_count + 1 where username = $1", [follower])
  }

  @Test func `one's own tweets and those of the followed arrive within a second, on every node`() throws {
    let nodes = try Nodes(2)
    let (ada, bob, cyd) = (Person("ada"), Person("bob"), Person("cyd"))
    let reader = try nodes.visitor(0).signedUp(ada)
    let followed = try nodes.visitor(1).signedUp(bob)
    let stranger = try nodes.visitor(1).signedUp(cyd)
    try Self.follow(nodes.database, ada.username, bob.username)
    let live = try LiveListener(nodes.servers[0], reader)
    #expect(live.status == 200)
    #expect(live.head.contains("Content-Type: text/event-stream"))
    #expect(live.head.contains("Cache-Control: no-store"))

    for (writer, text) in [(followed, "From afar\nin two lines"), (reader, "My own"), (followed, "Again")] {
      try stranger.tweet("Not for her").expect(201)
      let start = ContinuousClock.now
      let tweet: Tweet = try writer.tweet(text).expect(201).decoded()
      let event = try #require(try live.next())
      #expect(ContinuousClock.now - start < .seconds(1), "a machine that tests is slow, but not that slow")
      #expect(event.name == "tweet")
      #expect(event.id == tweet.id)
      #expect(event.tweet == tweet)
    }
    _ = try nodes.database.rows("delete from follow")
    try followed.tweet("Not any more").expect(201)
    #expect(live.isQuiet(forMilliseconds: 1_000))
  }

  @Test func `only what comes after the beginning is sent, and each tweet once to each of several readers`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    try ada.tweet("Before").expect(201)
    let readers = try (0..<3).map { _ in try LiveListener(server, ada) }
    for number in 0..<20 { try ada.tweet("\(number)").expect(201) }
    for reader in readers {
      #expect(try reader.tweets(20) == (0..<20).map { "\($0)" })
      #expect(reader.isQuiet(forMilliseconds: 300))
    }
  }

  @Test func `a reader who comes back goes on after its last tweet, without a gap and without a repeat`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    var last: String?
    var number = 0
    for _ in 0..<5 {
      // Some come while nobody listens, some while somebody does.
      for _ in 0..<3 where last != nil {
        try ada.tweet("\(number)").expect(201)
        number += 1
      }
      let live = try LiveListener(server, ada, after: last)
      if last != nil { #expect(try live.tweets(3) == (number - 3..<number).map { "\($0)" }) }
      try ada.tweet("\(number)").expect(201)
      let event = try #require(try live.next())
      #expect(event.tweet?.text == "\(number)")
      number += 1
      last = event.id
      #expect(live.isQuiet(forMilliseconds: 300))
    }
  }

  @Test func `another node goes on where the first one was, without a gap`() throws {
    let nodes = try Nodes(2)
    let ada = try nodes.visitor(0).signedUp()
    let first = try LiveListener(nodes.servers[0], ada)
    try ada.tweet("one").expect(201)
    let event = try #require(try first.next())
    try ada.tweet("two").expect(201)
    let second = try LiveListener(nodes.servers[1], ada, after: event.id)
    #expect(try second.next()?.tweet?.text == "two")
    try ada.tweet("three").expect(201)
    #expect(try second.next()?.tweet?.text == "three")
  }

  @Test func `a tweet that is committed late is not lost, neither to who listens nor to who comes back`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    func insertLate(_ text: String) throws -> BlockingConnection {
      let late = try BlockingConnection(database.target)
      try late.run("begin")
      _ = try late.rows(
        """
        insert into tweet (id, author_id, text, created_at)
        select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid,
               id, $1, now()
        from account where username = $2
        """, [text, person.username])
      return late
    }
    let live = try LiveListener(server, ada)
    let late = try insertLate("late")
    let prompt: Tweet = try ada.tweet("prompt").expect(201).decoded()
    #expect(try live.next()?.tweet == prompt)
    #expect(live.isQuiet(forMilliseconds: 500))
    try late.run("commit")
    #expect(try live.next()?.tweet?.text == "late")

    let later = try insertLate("later")
    try ada.tweet("the last that was heard").expect(201)
    let last = try #require(try live.next())
    try later.run("commit")
    // Whether the first stream still hears it does not matter to the second, which says what it had.
    #expect(try LiveListener(server, ada, after: last.id).next()?.tweet?.text == "later")
  }

  @Test func `a stream ends within a second of its session, on every node`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor(0).signedUp(person)
    let endings: [(String, (Visitor) throws -> Void)] = [
      ("sign-out", { try $0.signOut().expect(204) }),
      ("end all others", { _ in try ada.delete("/v1/sessions").expect(204) }),
      ("expiry", { _ in _ = try nodes.database.rows("update session set expires_at = now()") }),
    ]
    for (name, end) in endings {
      let here = name == "expiry" ? ada : try nodes.visitor(0).loggedIn(person)
      let live = try LiveListener(nodes.servers[1], nodes.visitor(1).with(token: here.token))
      let start = ContinuousClock.now
      try end(here)
      #expect(try live.next() == LiveListener.Event(name: "signed_out", data: "{}"), "\(name)")
      #expect(ContinuousClock.now - start < .seconds(1.5), "\(name)")
      #expect(try live.next() == nil, "\(name)")
    }
    let last = try nodes.visitor(0).loggedIn(person)
    let live = try LiveListener(nodes.servers[0], last)
    _ = try nodes.database.rows("update account set disabled_at = now()")
    #expect(try live.next()?.name == "signed_out")
  }

  @Test func `who is too far behind is told to reload, and goes on from there`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let person = Person()
    let ada = try Visitor(server).signedUp(person)
    let live = try LiveListener(server, ada)
    let first: Tweet = try ada.tweet("first").expect(201).decoded()
    #expect(try live.next()?.tweet == first)
    // More at once than is sent one by one.
    _ = try database.rows(
      """
      insert into tweet (id, author_id, text, created_at)
      select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || lpad(n::text, 19, '0'))::uuid,
             account.id, 'flood', now()
      from account, generate_series(1, 6000) as n where username = $1
      """, [person.username])
    let reload = try #require(try live.next())
    #expect(reload.name == "reload")
    try ada.tweet("after the flood").expect(201)
    let next = try #require(try live.next())
    #expect(next.tweet?.text == "after the flood")
    // Who comes back with what it had before must reload too; with the place that the reload gave it goes on.
    #expect(try LiveListener(server, ada, after: first.id).next()?.name == "reload")
    // Once the flood is no more within what may be late, it goes on from the place that it is given.
    sleepMilliseconds(5_500)
    let place = try #require(try LiveListener(server, ada, after: reload.id).next())
    #expect(place.name == "reload")
    let last: Tweet = try ada.tweet("the last").expect(201).decoded()
    #expect(try LiveListener(server, ada, after: place.id).next()?.tweet == last)
    #expect(try LiveListener(server, ada, after: "no id at all").next()?.name == "reload")
    #expect(try LiveListener(server, ada, after: "").isQuiet(forMilliseconds: 500))
  }

  @Test func `without a session there is no stream, and HEAD opens none`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    try ada.with(token: nil).get("/v1/feed/live").problem(.signedOut)
    try ada.with(token: ada.token.map { String($0.dropLast()) + "A" }).send("HEAD", "/v1/feed/live").expect(401)
    for _ in 0..<20 {
      let head = try ada.send("HEAD", "/v1/feed/live").expect(200)
      #expect(head["Content-Type"] == "text/event-stream")
    }
    #expect(try LiveListener(server, ada).status == 200)
  }

  @Test func `one account has ten streams at most, and a closed one makes room`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    var streams = try (0..<10).map { _ in try LiveListener(server, ada) }
    try ada.get("/v1/feed/live").problem(.tooManyRequests)
    #expect(try LiveListener(server, Visitor(server).signedUp()).status == 200)
    streams.removeLast()
    // A client that has gone is noticed within some seconds, and its stream with the next beat.
    #expect(try eventually(withinSeconds: 40) { try LiveListener(server, ada).status == 200 })
  }

  @Test func `streams live through an outage of the database, and miss nothing`() throws {
    let cluster = try OwnCluster()
    let server = try TestServer(cluster.target)
    let ada = try Visitor(server).signedUp()
    let live = try LiveListener(server, ada, timeoutMilliseconds: 60_000)
    try ada.tweet("before").expect(201)
    #expect(try live.next()?.tweet?.text == "before")
    try cluster.stop()
    sleepMilliseconds(700)
    try ada.get("/v1/feed/live").problem(.databaseUnavailable)
    try cluster.start()
    #expect(try eventually { try ada.tweet("after").status == 201 })
    #expect(try live.next()?.tweet?.text == "after")
  }

  @Test func `a server that stops ends its streams and does not wait for them`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    let streams = try (0..<5).map { _ in try LiveListener(server, ada) }
    let start = ContinuousClock.now
    #expect(try server.stop() == 0)
    #expect(ContinuousClock.now - start < .seconds(4))
    for stream in streams { #expect(try stream.next() == nil) }
  }
}
