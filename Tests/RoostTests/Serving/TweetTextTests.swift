import RoostAPI
import TestSupport
import Testing

/// What becomes of the text of tweets on its way in and out. Compared byte by byte: Swift takes texts for equal that
/// Unicode does.
@Suite(.onThreads) struct TweetTextTests {
  private static let visitor = Result { try Visitor(StoryServer.shared.get().server).signedUp(Person()) }
  private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"

  @Test(arguments: [
    "Grüße @ada, @Ada_L. und #tags: https://example.com/a?b=c&d=%C3%A9#e, http://localhost:8080/~x",
    "<a href=\"javascript:alert(1)\">&amp;</a> 'quoted' \\n \\u0041 %00 $1 ${x} {{y}}",
    // The same letters composed, decomposed, and in the compatible forms that NFKC would take away.
    "é", "e\u{301}", "Å \u{212B} A\u{30A}", "ﬁ ① ｆｕｌｌ", "가 \u{1100}\u{1161}", "q\u{307}\u{323} q\u{323}\u{307}",
    family, "\u{1F1F0}\u{1F1F7}\u{2764}\u{FE0F}", "שלום \u{200F}! مرحبا", "a\u{200B}b\u{FEFF}c\u{AD}d",
    "\u{FFFD}\u{FFFE}\u{10FFFF}",
    "one\ntwo\n\n  three\u{2028}four\u{2029}five",
    String(repeating: "x", count: 280), String(repeating: "\u{1F600}", count: 280),
    String(repeating: "e\u{301}", count: 280), String(repeating: family, count: 62),
    "a" + String(repeating: "\u{301}", count: 559),
  ])
  func `a text within the rule is kept as it was typed, to the byte`(text: String) throws {
    let visitor = try Self.visitor.get()
    let tweet: Tweet = try visitor.tweet(text).expect(201).decoded()
    let name = tweet.author.username
    let kept =
      try [
        tweet, visitor.get("/v1/tweets/\(tweet.id)").decoded(Tweet.self),
      ]
      + ["/v1/feed", "/v1/explore", "/v1/users/\(name)/tweets"].flatMap {
        try visitor.get($0 + "?limit=100").decoded(Page<Tweet>.self).items.filter { $0.id == tweet.id }
      }
    #expect(kept.count == 5)
    for kept in kept { #expect(Array(kept.text.utf8) == Array(text.utf8)) }
  }

  @Test(arguments: [
    ("281 letters", String(repeating: "x", count: 281)),
    ("281 emoji", String(repeating: "\u{1F600}", count: 281)),
    ("few clusters of many bytes", String(repeating: family, count: 63)),
    ("one cluster of 1,121 bytes", "a" + String(repeating: "\u{301}", count: 560)),
    ("60,000 letters", String(repeating: "x", count: 60_000)),
  ])
  func `too many characters and too many bytes are both too long`(name: String, text: String) throws {
    try expectFault("too_long", text)
  }

  @Test(arguments: Array(0x202A...0x202E) + Array(0x2066...0x2069))
  func `characters that turn the direction of what follows are refused`(scalar: Int) throws {
    let text = "pay \(Character(Unicode.Scalar(UInt32(scalar))!))gpj.exe"
    try expectFault("forbidden_character", text)
    let visitor = try Self.visitor.get()
    let problem = try visitor.patch(ProfileChange(fullName: .becomes(text), bio: .becomes(text))).problem(
      .invalidFields)
    #expect(
      problem.errors?.map { "\($0.field) \($0.code)" } == ["fullName forbidden_character", "bio forbidden_character"])
    let account: Account = try visitor.me().decoded()
    #expect(account.fullName == nil && account.bio == nil)
  }

  @Test(arguments: [
    #"a\u0000b"#, #"\u0000"#, #"\ud83d"#, #"a\udc00b"#, #"\udc00\ud800"#, #"\ud83d\u0041"#, #"\ud800\ud800"#,
  ])
  func `U+0000 and lone surrogates are no text at all`(escaped: String) throws {
    let visitor = try Self.visitor.get()
    try visitor.post("/v1/tweets", json: #"{"text":"\#(escaped)"}"#).problem(.malformedBody)
    try visitor.patch(json: #"{"bio":"\#(escaped)"}"#).problem(.malformedBody)
    try visitor.patch(json: #"{"fullName":"\#(escaped)"}"#).problem(.malformedBody)
  }

  @Test func `a surrogate pair is one character, and white space at the ends goes`() throws {
    let visitor = try Self.visitor.get()
    let tweet: Tweet = try visitor.post("/v1/tweets", json: #"{"text":" \ud83d\ude00\r\n\u00e9\u3000 "}"#).expect(201)
      .decoded()
    #expect(Array(tweet.text.utf8) == Array("\u{1F600}\n\u{E9}".utf8))
  }

  @Test func `a name and a bio are kept as they were typed, to the byte`() throws {
    let ada = try Visitor(StoryServer.shared.get().server).signedUp(Person())
    let (name, bio) = ("e\u{301} \u{212B} ﬁ", "@bea https://example.com/é\nq\u{307}\u{323} \(Self.family)")
    let account: Account = try ada.patch(ProfileChange(fullName: .becomes(name), bio: .becomes(bio))).expect(200)
      .decoded()
    let profile: Profile = try ada.get("/v1/users/\(account.username)").expect(200).decoded()
    for (seen, typed) in [
      (account.fullName, name), (profile.fullName, name), (account.bio, bio), (profile.bio, bio),
    ] {
      #expect(seen.map { Array($0.utf8) } == Array(typed.utf8))
    }
  }

  private func expectFault(_ code: String, _ text: String) throws {
    let visitor = try Self.visitor.get()
    let problem = try visitor.tweet(text).problem(.invalidFields)
    #expect(problem.errors?.map { "\($0.field) \($0.code)" } == ["text \(code)"])
  }
}
