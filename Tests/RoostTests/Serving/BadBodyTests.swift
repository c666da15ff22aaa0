import RoostAPI
import TestSupport
import Testing

/// Bodies that no honest client sends: each is refused for what it is, and the server goes on.
@Suite(.onThreads) struct BadBodyTests {
  /// A text field of a call: what stands around its value.
  struct Field: CustomTestStringConvertible, Sendable {
    let target: String
    let name: String
    let others: String

    var testDescription: String { "\(name) of \(target)" }

    func body(_ value: [UInt8]) -> [UInt8] { Array("{\(others)\"\(name)\":".utf8) + value + Array("}".utf8) }
  }

  static let fields = [
    Field(target: "/v1/register", name: "email", others: #""username":"ada","password":"correct horse","#),
    Field(target: "/v1/register", name: "username", others: #""email":"a@example.com","password":"correct horse","#),
    Field(target: "/v1/register", name: "password", others: #""email":"a@example.com","username":"ada","#),
    Field(
      target: "/v1/register", name: "fullName",
      others: #""email":"a@example.com","username":"ada","password":"correct horse","#),
    Field(target: "/v1/login", name: "login", others: #""password":"correct horse","#),
    Field(target: "/v1/login", name: "password", others: #""login":"ada","#),
    Field(target: "/v1/tweets", name: "text", others: ""),
  ]

  /// Values that are no text, or no JSON at all.
  static let malformed: [(name: String, value: [UInt8])] =
    [
      ("U+0000, escaped", #""a\u0000b""#), ("U+0000 alone, escaped", #""\u0000""#), ("a number", "1"),
      ("a fraction", "1.5"),
      ("a huge number", "1e400"), ("a whole number beyond 64 bits", "99999999999999999999"), ("true", "true"),
      ("an array", #"["a"]"#), ("an object", #"{"a":"b"}"#), ("a lone high surrogate", #""\ud800""#),
      ("a lone low surrogate", #""a\udc00b""#), ("surrogates the wrong way round", #""\udc00\ud800""#),
      ("half an escape", #""\u12""#), ("an unknown escape", #""\x41""#), ("a bare word", "ada"), ("nothing", ""),
      ("NaN", "NaN"), ("a comment", #"/* */ "a""#), ("single quotes", "'a'"), ("no end", #""a"#),
      ("a comma more", #""a","#),
      ("a line feed", "\"a\nb\""), ("a duplicate key", #""a","email":"a","email":"b""#),
    ].map { ($0, Array($1.utf8)) } + [
      ("U+0000, raw", [0x22, 0x61, 0x00, 0x62, 0x22]), ("a stray continuation byte", [0x22, 0x80, 0x22]),
      ("a cut sequence", [0x22, 0xe2, 0x82, 0x22]), ("an overlong slash", [0x22, 0xc0, 0xaf, 0x22]),
      ("a surrogate in UTF-8", [0x22, 0xed, 0xa0, 0x80, 0x22]),
      ("beyond Unicode", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
      ("Latin-1", [0x22, 0xe9, 0x22]), ("an 0xFF", [0x22, 0xff, 0x22]), ("a DEL and a NUL", [0x22, 0x7f, 0x00, 0x22]),
    ]

  @Test func `no text field takes what is not text`() throws {
    let stand = try Stand()
    for field in Self.fields {
      for (name, value) in Self.malformed {
        let answer = try stand.visitor.post(field.target, json: field.body(value))
        #expect(answer.status == 400, "\(field.testDescription), \(name): \(answer)")
        guard answer.status == 400 else { continue }
        try answer.problem(.malformedBody)
      }
    }
    try stand.expectUnharmed()
  }

  @Test func `text that JSON allows is judged by the rule of its field, and never an error of the server`() throws {
    let stand = try Stand(settings: ["LIMIT_LOGIN_ADDRESS": "0", "LIMIT_LOGIN_ACCOUNT_ADDRESS": "0"])
    let texts = [
      "", " ", "\t", "\u{1}", "\u{7f}", "\u{85}", "\u{feff}", "\u{fffe}", "\u{fffd}", "\u{202e}evil", "\u{2028}",
      "\u{10ffff}", "\\",
      "\"", "'; drop table account; --", "$1", "%00", "%s%n", "<script>", "../../etc/passwd",
      "ada@example.com\r\nBcc: x@y.zz",
      String(repeating: "a", count: 5_000), String(repeating: "é", count: 3_000),
      "e" + String(repeating: "\u{301}", count: 2_000),
      String(repeating: "👩‍👩‍👧‍👦", count: 280), "ＡＤＭＩＮ", "ⅷ", "İstanbul", "ß@example.com",
    ]
    for field in Self.fields {
      for text in texts {
        // Whoever registers or logs in with a token gives it up.
        let visitor = field.target == "/v1/tweets" ? stand.visitor : stand.visitor.with(token: nil)
        let answer = try visitor.post(field.target, json: field.body(Array(text.quoted.utf8)))
        #expect(
          [201, 401, 409, 422].contains(answer.status), "\(field.testDescription), \(text.debugDescription): \(answer)")
      }
    }
    try stand.expectUnharmed()
  }

  @Test func `a body is one object, not too deep and with each key once`() throws {
    let stand = try Stand()
    for text in [
      "[]", "[{}]", "null", "true", "1", #""{}""#, "", " ", "{", "}", "{}{}", "{},", "{}x", "\u{feff}{}", #"{"a"}"#,
      #"{"a":1,}"#, "{a:1}",
      #"{"text":"a","text":"a"}"#, #"{"text":"a","te\u0078t":"b"}"#, #"{"other":1,"other":2,"text":"a"}"#,
      #"{"\u0000":1,"text":"a"}"#, #"{"text":"a","other":1e999}"#, #"{"text":"a","other":-1e999}"#,
      #"{"text":"a","other":9223372036854775808}"#,
    ] {
      try stand.visitor.post("/v1/tweets", json: text).problem(.malformedBody)
    }
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      for depth in [33, 1_000, 10_000] {
        let deep = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        try stand.visitor.post("/v1/tweets", json: #"{"text":"a","other":\#(deep)}"#).problem(.malformedBody)
        try stand.visitor.post("/v1/tweets", json: String(repeating: open, count: depth)).problem(.malformedBody)
      }
    }
    // What it does not know it passes over, also when it looks like a column.
    let account = try stand.visitor.me().decoded(Account.self)
    let other =
      #""id":"019ad4c5-7d3a-7000-8000-000000000001","author_id":1,"likes":7,"created_at":"2000-01-01","x":[[[]]]"#
    let tweet: Tweet = try stand.visitor.post("/v1/tweets", json: #"{\#(other),"text":"a"}"#).expect(201).decoded()
    #expect(tweet.author.id == account.id && tweet.likes == 0 && tweet.id != "019ad4c5-7d3a-7000-8000-000000000001")
    try stand.expectUnharmed()
  }

  @Test func `a body has 64 KiB at most, on every call`() throws {
    let stand = try Stand()
    func padded(_ text: String, to count: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count)
    }
    let largest = 64 * 1_024
    let fitting = try stand.visitor.post("/v1/tweets", json: padded(#"{"text":"It fits"}"#, to: largest)).expect(201)
    #expect(try fitting.decoded(Tweet.self).text == "It fits")
    for target in ["/v1/tweets", "/v1/register", "/v1/login", "/v1/signout", "/v1/me", "/nowhere"] {
      for count in [largest + 1, 1_024 * 1_024] {
        try stand.visitor.post(target, json: padded("{}", to: count)).problem(.bodyTooLarge)
      }
    }
    try stand.expectUnharmed()
  }

  /// One server and somebody who is signed in.
  private struct Stand {
    let server: TestServer
    let visitor: Visitor

    init(settings: [String: String] = [:]) throws {
      server = try TestServer(.fresh(), settings: ["LIMIT_REGISTER_ADDRESS": "0"].merging(settings) { $1 })
      visitor = try Visitor(server).signedUp()
    }

    func expectUnharmed() throws {
      try visitor.get("/healthz").expect(200)
      try visitor.me().expect(200)
      #expect(server.process.ending == nil)
      let errors = server.log.split(separator: "\n").filter {
        $0.contains(#""level":"error""#) || $0.contains(#""status":5"#)
      }
      #expect(errors.isEmpty, "\(errors.joined(separator: "\n"))")
    }
  }
}

extension String {
  /// As JSON.
  fileprivate var quoted: String {
    let scalars = unicodeScalars.map { scalar in
      if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
      guard scalar.value < 0x20 else { return String(scalar) }
      return "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
    }
    return "\"\(scalars.joined())\""
  }
}
