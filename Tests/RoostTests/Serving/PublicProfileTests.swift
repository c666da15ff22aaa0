import RoostAPI
import TestSupport
import Testing

/// What one sees of others: profiles, the lists below them, and everybody's tweets.
@Suite(.onThreads) struct PublicProfileTests {
  @Test func `a profile shows what everybody may see under any spelling of the name, and never the address`() throws {
    let nodes = try Nodes(1)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let bea = try nodes.visitor().signedUp(Person("bea"))
    try ada.patch(ProfileChange(fullName: .becomes("Ada"), bio: .becomes("Poetical science."))).expect(200)
    try ada.upload(AvatarTests.png).expect(200)
    try ada.tweet("Look").expect(201)
    let account: Account = try ada.me().decoded()
    let answer = try bea.get("/v1/users/\(person.username)").expect(200)
    let profile: Profile = try answer.decoded()
    #expect(profile.id == account.id && profile.username == account.username && profile.createdAt == account.createdAt)
    #expect(profile.fullName == "Ada" && profile.bio == "Poetical science.")
    #expect(profile.profileImageURL == account.profileImageURL && profile.profileImageURL != nil)
    #expect(profile.tweets == 1 && profile.followers == 0 && profile.following == 0 && !profile.followedByMe)
    #expect(!answer.text.contains("@") && !answer.text.contains("mail"))
    for name in [
      person.username.inMixedCase, "%\(String(person.username.utf8.first!, radix: 16))\(person.username.dropFirst())",
    ] {
      #expect(try bea.get("/v1/users/\(name)").expect(200).decoded(Profile.self) == profile)
    }
    #expect(try ada.get("/v1/users/\(person.username)").decoded(Profile.self) == profile)

    // A new name and photo show everywhere at once, and the old name is nobody's.
    let name = Person("new").username
    try ada.patch(ProfileChange(username: .becomes(name))).expect(200)
    try ada.delete("/v1/me/avatar").expect(204)
    let renamed: Profile = try bea.get("/v1/users/\(name)").expect(200).decoded()
    #expect(renamed.id == profile.id && renamed.profileImageURL == nil)
    try bea.get("/v1/users/\(person.username)").problem(.notFound)
    for target in ["/v1/users/\(name)/tweets", "/v1/explore"] {
      let authors = try bea.get(target).decoded(Page<Tweet>.self).items.map(\.author)
      #expect(authors.map(\.username) == [name] && authors.map(\.profileImageURL) == [nil])
    }
  }

  @Test func `what is nobody's is not found, and nobody looks without a session`() throws {
    let nodes = try Nodes(1)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    let gone = Person("gone")
    try nodes.visitor().signedUp(gone).tweet("planted").expect(201)
    _ = try nodes.database.rows("update account set disabled_at = now() where username = $1", [gone.username])
    for end in ["", "/tweets", "/followers", "/following"] {
      for name in [
        gone.username, Person("nobody").username, "ab", "a..b", "admin", "me", "%F0%9F%98%80", "%22", "%27--", "a%2Fb",
        person.email, String(repeating: "x", count: 5_000),
      ] {
        let problem = try ada.get("/v1/users/\(name)\(end)").problem(.notFound)
        #expect(problem.detail?.isEmpty == false)
        try ada.with(token: nil).get("/v1/users/\(name)\(end)").problem(.signedOut)
      }
      try ada.with(token: nil).get("/v1/users/\(person.username)\(end)").problem(.signedOut)
      try ada.get("/v1/users/%FF\(end)").problem(.malformedRequest)
      let answer = try ada.send("POST", "/v1/users/\(person.username)\(end)").problem(.methodNotAllowed)
      #expect(answer.status == 405)
    }
    try ada.with(token: nil).get("/v1/explore").problem(.signedOut)
    let explored = try ada.get("/v1/explore").expect(200)
    #expect(explored.text == #"{"items":[],"next":null}"#, "a disabled account's tweets are gone")
  }

  @Test func `every list leads from page to page by its links, and shows each once`() throws {
    let nodes = try Nodes(2)
    let person = Person()
    let ada = try nodes.visitor().signedUp(person)
    var others: [Profile] = []
    for index in 0..<7 {
      let other = Person("p\(index)")
      let visitor = try nodes.visitor(index).signedUp(other)
      others.append(try visitor.get("/v1/users/\(other.username)").expect(200).decoded())
      for number in 0..<2 { try ada.tweet("\(index) \(number)").expect(201) }
      _ = try nodes.database.rows(
        """
        insert into follow (id, follower_id, followee_id)
        select ('00000000-0000-7000-8000-00000000000' || $3)::uuid, follower.id, followee.id
        from account as follower, account as followee
        where (follower.username, followee.username) in (($1, $2), ($2, $1))
        """, [person.username, other.username, String(index)])
    }
    let users = "/v1/users/\(person.username.inMixedCase)"
    for end in ["followers", "following"] {
      let seen: [Profile] = try read("\(users)/\(end)?limit=3", by: ada)
      #expect(seen.map(\.id) == others.reversed().map(\.id))
      #expect(seen.allSatisfy { $0.followedByMe }, "ada follows them all")
    }
    let followers: [Profile] = try read("\(users)/followers?limit=2", by: nodes.visitor().loggedIn(person))
    #expect(followers.count == 7)
    let texts = (0..<7).reversed().flatMap { index in ["\(index) 1", "\(index) 0"] }
    for target in ["\(users)/tweets?limit=3", "/v1/explore?limit=3", "/v1/feed?limit=3"] {
      let seen: [Tweet] = try read(target, by: ada)
      #expect(seen.map(\.text) == texts)
    }
    for target in ["\(users)", "/v1/explore", "\(users)/tweets", "\(users)/followers"].dropFirst() {
      try ada.get("\(target)?limit=0").problem(.malformedQuery)
      try ada.get("\(target)?before=x").problem(.malformedQuery)
    }
  }

  /// All of a list, page after page, as `Link` and `next` say alike.
  private func read<Item: Codable & Sendable>(_ start: String, by visitor: Visitor) throws -> [Item] {
    var items: [Item] = []
    var target: String? = start
    while let current = target, items.count < 1_000 {
      let answer = try visitor.get(current).expect(200)
      let page: Page<Item> = try answer.decoded()
      items += page.items
      let path = start.prefix { $0 != "?" }
      let limit = start.suffix(1)
      let link = page.next.map { "<\(path)?limit=\(limit)&before=\($0)>; rel=\"next\"" }
      #expect(answer["Link"] == link && answer["Cache-Control"] == "no-store" && answer["ETag"] == nil)
      #expect(page.next == nil || page.items.count == Int(limit))
      target = answer["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
    }
    return items
  }
}
