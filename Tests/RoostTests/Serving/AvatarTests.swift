import Postgres
import RoostAPI
import TestSupport
import Testing

/// Profile photos, from outside.
@Suite(.onThreads) struct AvatarTests {
  static let png = SamplePicture.png(120)

  // MARK: Uploading and serving

  @Test func `an uploaded photo is on the account and its tweets, and everybody can get it`() throws {
    let server = try TestServer(TestDatabase.fresh())
    let ada = try Visitor(server).signedUp()
    #expect(try ada.me().decoded(Account.self).profileImageURL == nil)
    let account: Account = try ada.upload(Self.png).expect(200).decoded()
    let path = try #require(ada.path(of: account))
    #expect(path.wholeMatch(of: #/\/v1\/avatars\/[0-9a-f]{64}\.jpg/#) != nil)
    #expect(try ada.me().decoded() == account)
    let tweet: Tweet = try ada.tweet("Look").expect(201).decoded()
    #expect(tweet.author.profileImageURL == account.profileImageURL)
    let feed = try ada.get("/v1/feed").decoded(Page<Tweet>.self)
    #expect(feed.items.map(\.author.profileImageURL) == [account.profileImageURL])

    let photo = try Visitor(server).get(path).expect(200)
    let etag = "\"\(path.dropFirst("/v1/avatars/".count).dropLast(4))\""
    #expect(photo["Content-Type"] == "image/jpeg" && photo["ETag"] == etag)
    #expect(photo["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(photo["X-Content-Type-Options"] == "nosniff")
    #expect(photo["Content-Security-Policy"] == "default-src 'none'")
    #expect(photo["Set-Cookie"] == nil)
    #expect(photo.body.starts(with: [0xff, 0xd8, 0xff]) && photo.body.suffix(2) == [0xff, 0xd9])
    #expect(try server.client().send("HEAD", path)["Content-Length"] == "\(photo.body.count)")
  }

  @Test func `a client that has the photo is not sent it again`() throws {
    let server = try TestServer(TestDatabase.fresh())
    let ada = try Visitor(server).signedUp()
    let path = try #require(ada.path(of: ada.upload(Self.png).expect(200).decoded()))
    let etag = try #require(ada.get(path)["ETag"])
    for value in [etag, "W/\(etag)", "\"other\", \(etag)", "*"] {
      let answer = try ada.get(path, headers: [("If-None-Match", value)]).expect(304)
      #expect(answer.body == [] && answer["ETag"] == etag && answer["Cache-Control"]?.contains("immutable") == true)
      #expect(answer["Content-Type"] == nil && answer["Content-Length"] != "0")
    }
    #expect(try ada.get(path, headers: [("If-None-Match", "\"other\"")]).expect(200).body.isEmpty == false)
  }

  @Test func `what is no photo's address is not found`() throws {
    let server = try TestServer(TestDatabase.fresh())
    let ada = try Visitor(server).signedUp()
    let path = try #require(ada.path(of: ada.upload(Self.png).expect(200).decoded()))
    let name = String(path.dropFirst("/v1/avatars/".count).dropLast(4))
    for other in [
      "/v1/avatars/\(name)", "/v1/avatars/\(name).png", "/v1/avatars/\(name.uppercased()).jpg", "/v1/avatars/.jpg",
      "/v1/avatars/\(name.dropLast()).jpg", "/v1/avatars/\(name)0.jpg",
      "/v1/avatars/\(String(repeating: "0", count: 64)).jpg",
      "/v1/avatars/..%2f\(name).jpg",
    ] {
      try ada.get(other).problem(.notFound)
    }
    try ada.send("POST", path).problem(.methodNotAllowed)
  }

  // MARK: Replacing and removing

  @Test func `a new photo takes the old one's place, and is removed once`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    let first = try #require(ada.path(of: ada.upload(Self.png).expect(200).decoded()))
    let second = try #require(ada.path(of: ada.upload(SamplePicture.png(200)).expect(200).decoded()))
    #expect(first != second)
    try ada.get(first).problem(.notFound)
    try ada.get(second).expect(200)
    #expect(try database.value("select count(*) from avatar") == "1")
    for _ in 0..<2 { try ada.delete("/v1/me/avatar").expect(204) }
    #expect(try ada.me().decoded(Account.self).profileImageURL == nil)
    try ada.get(second).problem(.notFound)
    #expect(try database.value("select count(*) from avatar") == "0")
    let kinds = try database.rows("select kind from audit_event where kind like 'photo%' order by id").map { $0[0] }
    #expect(kinds == ["photo_changed", "photo_changed", "photo_removed"])
  }

  @Test func `two accounts may have the same photo, and each has its own`() throws {
    let database = try TestDatabase.fresh()
    let server = try TestServer(database)
    let ada = try Visitor(server).signedUp()
    let bea = try Visitor(server).signedUp(Person("bea"))
    let path = try #require(ada.path(of: ada.upload(Self.png).expect(200).decoded()))
    #expect(try bea.path(of: bea.upload(Self.png).expect(200).decoded()) == path)
    try ada.delete("/v1/me/avatar").expect(204)
    try bea.get(path).expect(200)
    _ = try database.rows("update account set disabled_at = now() where avatar_sha256 is not null")
    try ada.get(path).problem(.notFound)
  }

  @Test func `of uploads and removals at once exactly one photo is left, or none`() throws {
    let nodes = try Nodes(3, settings: ["LIMIT_AVATAR_ACCOUNT": "0"])
    let ada = try nodes.visitor().signedUp()
    for round in 0..<6 {
      let answers = try atOnce(12) { index in
        let visitor = nodes.visitor(index).with(token: ada.token)
        return index % 3 == 2 && round.isMultiple(of: 2)
          ? try visitor.delete("/v1/me/avatar") : try visitor.upload(SamplePicture.png(UInt8(round * 12 + index)))
      }
      #expect(answers.allSatisfy { $0.status == 200 || $0.status == 204 }, "\(nodes.lastWords)")
      let state = try nodes.database.rows(
        """
        select count(avatar), count(account.avatar_sha256), bool_and(avatar.sha256 = sha256(avatar.jpeg)),
               count(*) filter (where avatar.sha256 is distinct from account.avatar_sha256)
        from account left join avatar on avatar.account_id = account.id
        """)[0]
      #expect(state[0] == state[1] && state[3] == "0", "\(state)")
      #expect(state[2] != "f")
      if !round.isMultiple(of: 2) { #expect(state[0] == "1") }
    }
  }

  // MARK: Refusals

  @Test func `a bad upload is refused, and the old photo stays`() throws {
    let server = try TestServer(TestDatabase.fresh(), settings: ["LIMIT_AVATAR_ACCOUNT": "0"])
    let ada = try Visitor(server).signedUp()
    let before: Account = try ada.upload(Self.png).expect(200).decoded()
    let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
    for type in ["image/svg+xml", "image/png", "image/*", "application/json", "text/html", ""] {
      try ada.upload(svg, type: type).problem(.unsupportedMediaType)
    }
    try ada.upload(Self.png, type: "image/jpeg").problem(.unsupportedMediaType)
    try ada.upload(Self.png, type: "application/octet-stream").problem(.unsupportedMediaType)
    try ada.upload([], type: "image/png").problem(.unsupportedMediaType)
    try ada.upload(Array(Self.png.dropLast(30))).problem(.notAnImage)
    try ada.upload(Array(Self.png.prefix(8))).problem(.notAnImage)
    try ada.upload(Array(repeating: 0, count: 10 * 1_024 * 1_024 + 1)).problem(.bodyTooLarge)
    #expect(try ada.me().decoded() == before)
    try ada.get(#require(ada.path(of: before))).expect(200)
    #expect(try ada.upload(Self.png, type: "image/png; charset=binary").expect(200).decoded() == before)
    // A file as large as allowed is read, and is no picture for its size.
    try ada.upload(Self.png + Array(repeating: 0, count: 10 * 1_024 * 1_024 - Self.png.count)).expect(200)
  }

  @Test func `who is not signed in uploads nothing, and no large body at all`() throws {
    let server = try TestServer(TestDatabase.fresh())
    let visitor = Visitor(server)
    let large = SamplePicture.png(9, side: 400)
    try visitor.upload(Self.png).problem(.signedOut)
    try visitor.delete("/v1/me/avatar").problem(.signedOut)
    try visitor.upload(large).problem(.bodyTooLarge)
    try visitor.with(token: "not-a-token").upload(large).problem(.bodyTooLarge)
    let ada = try visitor.signedUp()
    try ada.upload(large).expect(200)
    try ada.send("PUT", "/v1/me", body: large).problem(.bodyTooLarge)
    try ada.signOut().expect(204)
    try ada.upload(large).problem(.signedOut)
  }

  @Test func `an account uploads so many photos, bad ones counted`() throws {
    let nodes = try Nodes(2, settings: ["LIMIT_AVATAR_ACCOUNT": "5/h"])
    let ada = try nodes.visitor().signedUp()
    let answers = try atOnce(8) { index in
      let visitor = nodes.visitor(index).with(token: ada.token)
      return try visitor.upload(index.isMultiple(of: 2) ? Self.png : Array(Self.png.dropLast(30)))
    }
    #expect(answers.count { $0.status == 429 } == 3, "\(answers.map(\.status))")
    try ada.upload(Self.png).problem(.tooManyRequests)
    try ada.delete("/v1/me/avatar").expect(204)
    try nodes.visitor().signedUp(Person("bea")).upload(Self.png).expect(200)
  }

  @Test func `while uploads take all there is, people sign up and read`() throws {
    let server = try TestServer(TestDatabase.fresh(), settings: ["LIMIT_AVATAR_ACCOUNT": "0"])
    let ada = try Visitor(server).signedUp()
    let large = SamplePicture.png(77, side: 2_000)
    let answers = try atOnce(33) { index in
      if index < 32 { return try ada.upload(large, isAlone: true) }
      var slowest = Duration.zero
      for _ in 0..<8 {
        let start = ContinuousClock.now
        try Visitor(server).register(Person("bea")).expect(201)
        try ada.me().expect(200)
        slowest = max(slowest, ContinuousClock.now - start)
      }
      #expect(slowest < .seconds(3), "\(server.lastWords)")
      return try ada.me()
    }
    #expect(answers.allSatisfy { $0.status == 200 || $0.status == 503 }, "\(answers.map(\.status).counted)")
    #expect(answers.prefix(32).contains { $0.status == 200 })
    for answer in answers where answer.status == 503 { try answer.problem(.overloaded) }
    try ada.upload(Self.png).expect(200)
  }
}

extension Visitor {
  func upload(
    _ picture: [UInt8], type: String = "image/png", isAlone: Bool = false
  ) throws -> HTTPClient.Response {
    let headers = type.isEmpty ? [] : [("Content-Type", type)]
    return try send("PUT", "/v1/me/avatar", headers: headers, body: picture, isAlone: isAlone)
  }

  /// The path of an account's photo at this server; nil when it is elsewhere.
  func path(of account: Account) -> String? {
    guard let url = account.profileImageURL.map({ "\($0)" }) else { return nil }
    let origin = "http://\(client.address)"
    return url.hasPrefix(origin) ? String(url.dropFirst(origin.count)) : nil
  }
}
