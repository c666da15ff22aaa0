import RoostAPI
import TestSupport
import Testing

/// Reading again what one has already: profiles and tweets (photos: see `AvatarTests`).
@Suite(.onThreads) struct ConditionalReadTests {
  @Test func `a profile and a tweet are answered 304 until what the viewer sees of them changes`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let bea = try nodes.visitor(1).signedUp(Person("bea"))
    let tweet: Tweet = try ada.tweet("Look").expect(201).decoded()
    let me: Account = try ada.me().decoded()
    var readings = try [
      Reading(bea, "/v1/users/\(person.username)"), Reading(bea, "/v1/tweets/\(tweet.id)"),
    ]
    for reading in readings {
      #expect(reading.answer["Cache-Control"] == "private, no-cache")
      try reading.expectUnchanged()
      // On the other node too, by HEAD, and by whatever list names it.
      try Reading(bea.on(nodes.visitor()), reading.target).expect(sameAs: reading)
      let head = try bea.send("HEAD", reading.target, headers: [("If-None-Match", reading.tag)])
      #expect(head.status == 304 && head["ETag"] == reading.tag)
      for field in ["*", "W/\(reading.tag)", "\"a\", \(reading.tag)"] {
        try bea.get(reading.target, headers: [("If-None-Match", field)]).expect(304)
      }
      try bea.get(reading.target, headers: [("If-None-Match", "\"a\"")]).expect(200)
    }
    // What changes it, seen by the tag of before.
    let changes: [(String, [Bool])] = [
      ("update account set full_name = 'Ada' where id = $1", [true, true]),
      ("update account set bio = 'Poetical' where id = $1", [true, false]),
      ("update tweet set like_count = 1 where author_id = $1", [false, true]),
      (
        "insert into tweet_like (tweet_id, account_id) select tweet.id, account.id from tweet, account where tweet.author_id = $1 and account.id <> $1",
        [false, true]
      ),
      (
        "insert into follow (id, follower_id, followee_id) select gen_random_uuid(), id, $1 from account where id <> $1",
        [true, false]
      ),
    ]
    for (sql, isChanging) in changes {
      _ = try nodes.database.rows(sql, [me.id])
      for (index, isChanged) in isChanging.enumerated() {
        if isChanged {
          readings[index] = try readings[index].expectChanged()
        } else {
          try readings[index].expectUnchanged()
        }
      }
    }
    #expect(try readings[0].answer.decoded(Profile.self).followedByMe)
    #expect(try readings[1].answer.decoded(Tweet.self).likedByMe)
    // Another viewer sees another thing under another tag.
    for reading in readings {
      let hers = try Reading(ada, reading.target)
      #expect(hers.tag != reading.tag)
      try ada.get(reading.target, headers: [("If-None-Match", reading.tag)]).expect(200)
    }
  }

  @Test func `nobody learns by a tag what they may not read`() throws {
    let nodes = try Nodes(1)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let bea = try nodes.visitor().signedUp(Person("bea"))
    let tweet: Tweet = try ada.tweet("Look").expect(201).decoded()
    for target in ["/v1/users/\(person.username)", "/v1/tweets/\(tweet.id)"] {
      let reading = try Reading(bea, target)
      for field in [reading.tag, "*"] {
        try bea.with(token: nil).get(target, headers: [("If-None-Match", field)]).problem(.signedOut)
      }
      for other in ["/v1/me", "/v1/feed", "/v1/explore", "/v1/sessions"] {
        let answer = try bea.get(other, headers: [("If-None-Match", "*")]).expect(200)
        #expect(answer["ETag"] == nil && answer["Cache-Control"] == "no-store")
      }
      _ = try nodes.database.rows("update account set disabled_at = now() where username = $1", [person.username])
      for field in [reading.tag, "*"] {
        try bea.get(target, headers: [("If-None-Match", field)]).problem(.notFound)
      }
      _ = try nodes.database.rows("update account set disabled_at = null")
    }
  }

  /// An answer that somebody got, and what it takes to ask again.
  struct Reading {
    let visitor: Visitor
    let target: String
    let answer: HTTPClient.Response
    let tag: String

    init(_ visitor: Visitor, _ target: String) throws {
      self.visitor = visitor
      self.target = target
      answer = try visitor.get(target).expect(200)
      tag = try #require(answer["ETag"])
    }

    func expectUnchanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
      let again = try visitor.get(target, headers: [("If-None-Match", tag)])
        .expect(304, sourceLocation: sourceLocation)
      #expect(again.body == [] && again["ETag"] == tag && again["Content-Type"] == nil, sourceLocation: sourceLocation)
      #expect(again["Cache-Control"] == "private, no-cache", sourceLocation: sourceLocation)
      #expect(again["X-Request-ID"] != nil, sourceLocation: sourceLocation)
    }

    /// The new answer.
    func expectChanged(sourceLocation: SourceLocation = #_sourceLocation) throws -> Reading {
      try visitor.get(target, headers: [("If-None-Match", tag)]).expect(200, sourceLocation: sourceLocation)
      let new = try Reading(visitor, target)
      #expect(new.tag != tag && new.answer.body != answer.body, sourceLocation: sourceLocation)
      return new
    }

    func expect(sameAs other: Reading, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(tag == other.tag && answer.body == other.answer.body, sourceLocation: sourceLocation)
    }
  }
}

extension Visitor {
  /// The same session, served by another node.
  fileprivate func on(_ other: Visitor) -> Visitor { other.with(token: token) }
}
