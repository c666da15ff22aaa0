import Log
import Postgres
import RoostAPI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `kill -9`, of the database and of the server: what was acknowledged is there, and nothing is half there.
@Suite(.onThreads) struct CrashTests {
  @Test func `no acknowledged tweet is lost when the database is killed, and none is there twice`() throws {
    let folder = try TestDataFolder()
    // The server's own private cluster, which it starts again by itself.
    let server = try TestServer(folder, settings: ["LIMIT_TWEETS_ACCOUNT": "0"])
    let ada = try Visitor(server).signedUp()
    let acknowledged = Collected<Tweet>()
    let surprises = Collected<String>()
    let isOver = Collected<Bool>()
    let done = Collected<Int>()
    for writer in 0..<4 {
      inBackground {
        var number = 0
        while isOver.count == 0 {
          number += 1
          // Whoever got no answer sends the same again, under the same key, until there is one.
          let key = "\(writer).\(number)"
          while isOver.count == 0 {
            guard let answer = try? ada.tweet("Tweet \(key)", key: key) else {
              surprises.append("no answer")
              break
            }
            if answer.status == 201, let tweet = try? answer.decoded(Tweet.self) {
              acknowledged.append(tweet)
              break
            }
            if answer.status != 503 { surprises.append("\(answer)") }
          }
        }
        done.append(writer)
      }
    }
    for _ in 0..<2 {
      let before = acknowledged.count
      #expect(eventually { acknowledged.count > before + 40 }, "\(server.lastWords)")
      kill(try #require(folder.serverProcessID), SIGKILL)
      let atKill = acknowledged.count
      #expect(eventually(withinSeconds: 40) { acknowledged.count > atKill + 20 }, "\(server.lastWords)")
    }
    isOver.append(true)
    #expect(eventually { done.count == 4 })
    #expect(surprises.count == 0, "\(surprises.all.prefix(3))")

    // PostgreSQL's processes may outlive the first of them for a moment, and acknowledge more than is waited for above.
    let target = try LocalCluster(dataFolder: folder.path, log: .off).target
    #expect(eventually(withinSeconds: 40) { (try? BlockingConnection(target)) != nil }, "\(server.lastWords)")
    let database = try BlockingConnection(target)
    let rows = try database.rows("select id, text, idempotency_key from tweet")
    let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", $0[1] ?? "") })
    for tweet in acknowledged.all { #expect(stored[tweet.id] == tweet.text) }
    #expect(Set(rows.map { $0[2] }).count == rows.count)
    #expect(Set(acknowledged.all.map(\.text)).count == acknowledged.count)
    #expect(try database.value("select tweet_count from account") == "\(rows.count)")
    #expect(server.log.contains(#""event":"cluster_restarted""#))
    try ada.me().expect(200)
    #expect(try server.stop() == 0)
  }

  @Test func `a server killed while people register leaves no half account`() throws {
    let database = try TestDatabase.fresh()
    let acknowledged = Collected<Person>()
    for round in 0..<3 {
      let server = try TestServer(database, settings: ["LIMIT_REGISTER_ADDRESS": "0", "HASH_THREADS": "2"])
      let isOver = Collected<Bool>()
      let done = Collected<Int>()
      let visitor = Visitor(server)
      for index in 0..<6 {
        inBackground {
          while isOver.count == 0 {
            let person = Person()
            if let answer = try? visitor.register(person), answer.status == 201 { acknowledged.append(person) }
          }
          done.append(index)
        }
      }
      let before = acknowledged.count
      #expect(eventually { acknowledged.count >= before + 5 + round * 3 }, "\(server.lastWords)")
      server.kill()
      #expect(server.process.ending == .killed(signal: SIGKILL))
      isOver.append(true)
      #expect(eventually { done.count == 6 })
    }
    let orphans = try database.rows(
      """
      select (select count(*) from account where id not in (select account_id from credential)),
        (select count(*) from account where id not in (select account_id from session)),
        (select count(*) from credential where account_id not in (select id from account)),
        (select count(*) from session where account_id not in (select id from account))
      """)
    #expect(orphans == [["0", "0", "0", "0"]])
    let names = Set(try database.rows("select username from account").compactMap(\.first).compactMap(\.self))
    for person in acknowledged.all { #expect(names.contains(person.username), "an acknowledged account is gone") }
    // The next one takes over as if nothing had been.
    let server = try TestServer(database)
    let person = try #require(acknowledged.all.last)
    try Visitor(server).loggedIn(person).me().expect(200)
    try Visitor(server).register(person).problem(.taken)
  }

  @Test func `a server killed beside its private cluster finds it again`() throws {
    let folder = try TestDataFolder()
    let first = try TestServer(folder)
    let person = Person()
    let ada = try Visitor(first).signedUp(person)
    try ada.tweet("Still here").expect(201)
    let cluster = try #require(folder.serverProcessID)
    first.kill()
    let second = try TestServer(folder)
    #expect(folder.serverProcessID == cluster, "it runs on, and is adopted")
    let again = Visitor(second, token: ada.token)
    #expect(try again.get("/v1/feed").expect(200).decoded(Page<Tweet>.self).items.map(\.text) == ["Still here"])
    #expect(try second.stop() == 0)
    #expect(folder.serverProcessID == nil, "the last one out stops it")
  }
}
