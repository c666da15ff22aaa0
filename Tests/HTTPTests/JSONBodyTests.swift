import HTTP
import RoostAPI
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct JSONBodyTests {
  @Test func `a registration is read with all its fields, and unknown ones are ignored`() throws {
    let body = #"""
      {"email": "ada@example.com", "username": "ada", "password": "a long \u0041 way", "fullName": "Ada 👩‍🚀 \uD83D\uDE80",
      "cookie": true, "isAdmin": true, "nested": {"a": [1, 2.5e3, {"b": null}]}}
      """#
    let registration = try decode(Registration.self, body)
    #expect(registration.email == "ada@example.com")
    #expect(registration.username == "ada")
    #expect(registration.password == "a long A way")
    #expect(registration.fullName == "Ada 👩‍🚀 🚀")
    #expect(registration.cookie == true)
  }

  @Test(arguments: ["{}", #"{"login": null, "password": null}"#, " \n\t{ }\r\n "])
  func `a missing key and a null are the same, and no mistake of the document`(body: String) throws {
    let login = try decode(Login.self, body)
    #expect(login.login == nil)
    #expect(login.password == nil)
    #expect(login.cookie == nil)
  }

  struct BadDocument: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let reason: String

    init(_ name: String, _ text: String, _ reason: String) {
      self.init(name, Array(text.utf8), reason)
    }

    init(_ name: String, _ bytes: [UInt8], _ reason: String) {
      (testDescription, self.bytes, self.reason) = (name, bytes, reason)
    }
  }

  static let badDocuments: [BadDocument] = [
    BadDocument("nothing", "", "the body is empty"),
    BadDocument("only space", " \n ", "line 2, column 1: the document ends too early"),
    BadDocument("an array", "[]", "expected an object"),
    BadDocument("a string", #""text""#, "line 1, column 6: not valid JSON"),
    BadDocument("a number", "1", "line 1, column 1: not valid JSON"),
    BadDocument("null", "null", "line 1, column 4: not valid JSON"),
    BadDocument("no JSON at all", "login=ada&password=secret", "line 1, column 5: not valid JSON"),
    BadDocument("an object that does not end", #"{"text": "secret""#, "line 1, column 17: the document ends too early"),
    BadDocument("a string that does not end", #"{"text": "secret"#, "line 1, column 16: the document ends too early"),
    BadDocument("a comma too many", #"{"text": "secret",}"#, "line 1, column 19: not valid JSON"),
    BadDocument("a comma too few", #"{"text": "secret" "b": 1}"#, "line 1, column 21: not valid JSON"),
    BadDocument("single quotes", "{'text': 'secret'}", "line 1, column 2: not valid JSON"),
    BadDocument("a comment", #"{"text": /* secret */ "a"}"#, "line 1, column 10: not valid JSON"),
    BadDocument("another object behind it", #"{"text": "a"}{}"#, "line 1, column 14: something follows the document"),
    BadDocument("a NUL behind it", #"{"text": "a"}"# + "\0", "line 1, column 14: something follows the document"),
    BadDocument("a NUL in front of it", "\0" + #"{"text": "a"}"#, "line 1, column 1: the document ends too early"),
    BadDocument("a raw NUL in a string", "{\"text\": \"secret\0\"}", "line 1, column 16: not valid JSON"),
    BadDocument("U+0000 in a string", #"{"text": "secret\u0000"}"#, "line 1, column 23: U+0000 is not allowed"),
    BadDocument("U+0000 in a key", #"{"secret\u0000": 1}"#, "line 1, column 15: U+0000 is not allowed"),
    BadDocument("a raw line feed in a string", "{\"text\": \"secret\n\"}", "line 1, column 16: not valid JSON"),
    BadDocument("a wrong escape", #"{"text": "secret\x41"}"#, "line 1, column 18: not valid JSON"),
    BadDocument("a lone high surrogate", #"{"text": "secret\ud800"}"#, "line 1, column 23: not valid JSON"),
    BadDocument("a lone low surrogate", #"{"text": "secret\udc00"}"#, "line 1, column 23: not valid JSON"),
    BadDocument("two high surrogates", #"{"text": "\ud800\ud800"}"#, "line 1, column 23: not valid JSON"),
    BadDocument("half an escape", #"{"text": "secret\ud8"}"#, "line 1, column 21: not valid JSON"),
    BadDocument("a key twice", #"{"text": "secret", "text": "b"}"#, "line 1, column 25: duplicate key"),
    BadDocument("a key twice, once escaped", #"{"text": "a", "te\u0078t": "b"}"#, "line 1, column 25: duplicate key"),
    BadDocument("a key twice inside", #"{"a": [{"b": 1, "b": 2}]}"#, "line 1, column 19: duplicate key"),
    BadDocument("the second line", "{\n  \"text\": secret\n}", "line 2, column 16: not valid JSON"),
    BadDocument("an integer beyond 64 bits", #"{"a": 9223372036854775808}"#, "line 1, column 25: number out of range"),
    BadDocument("a number beyond a double", #"{"a": 1e400}"#, "line 1, column 11: number out of range"),
    BadDocument("a number with a leading zero", #"{"a": 012}"#, "line 1, column 7: not valid JSON"),
    BadDocument("NaN", #"{"a": NaN}"#, "line 1, column 9: not valid JSON"),
    BadDocument("true in capitals", #"{"a": TRUE}"#, "line 1, column 10: not valid JSON"),
    BadDocument("a byte order mark", [0xef, 0xbb, 0xbf] + Array("{}".utf8), "line 1, column 1: not valid JSON"),
    BadDocument("UTF-16", [0xff, 0xfe, 0x7b, 0, 0x7d, 0], "line 1, column 0: not UTF-8"),
    BadDocument("a lone continuation byte", text([0x80]), "line 1, column 10: not UTF-8"),
    BadDocument("an overlong slash", text([0xc0, 0xaf]), "line 1, column 10: not UTF-8"),
    BadDocument("a surrogate in UTF-8", text([0xed, 0xa0, 0x80]), "line 1, column 10: not UTF-8"),
    BadDocument("a scalar beyond U+10FFFF", text([0xf4, 0x90, 0x80, 0x80]), "line 1, column 10: not UTF-8"),
    BadDocument("half a scalar", text([0xe2, 0x82]), "line 1, column 10: not UTF-8"),
    BadDocument("a number for a string", #"{"text": 12345}"#, "text: expected a string"),
    BadDocument("an object for a string", #"{"text": {"secret": 1}}"#, "text: expected a string"),
    BadDocument("an array for a string", #"{"text": ["secret"]}"#, "text: expected a string"),
    BadDocument("a flag for a string", #"{"text": true}"#, "text: expected a string"),
  ]

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    Array(#"{"text": ""#.utf8) + bytes + Array(#""}"#.utf8)
  }

  @Test(arguments: badDocuments)
  func `a bad document is refused, and the reason tells where but never what`(document: BadDocument) {
    let problem = #expect(throws: JSONBody.Malformed.self) { try JSONBody.decode(NewTweet.self, from: document.bytes) }
    #expect(problem?.reason == document.reason)
    #expect(problem?.description.contains("secret") == false)
  }

  @Test(arguments: [#"{"cookie": "true"}"#, #"{"cookie": 1}"#, #"{"cookie": 0}"#, #"{"cookie": []}"#])
  func `what is not true or false is no flag`(body: String) {
    let problem = #expect(throws: JSONBody.Malformed.self) { try decode(Login.self, body) }
    #expect(problem?.reason == "cookie: expected true or false")
  }

  struct Order: Decodable {
    struct Line: Decodable {
      let count: Int
      let price: Double
    }
    let lines: [Line]
  }

  @Test(arguments: [
    (#"{}"#, "lines: missing"),
    (#"{"lines": null}"#, "lines: expected an array"),
    (#"{"lines": {}}"#, "lines: expected an array"),
    (#"{"lines": [1]}"#, "lines[0]: expected an object"),
    (#"{"lines": [{"count": 1, "price": 1}, {"count": "2", "price": 1}]}"#, "lines[1].count: expected a whole number"),
    (#"{"lines": [{"count": 1.5, "price": 1}]}"#, "the document: not a value of its kind"),
    (#"{"lines": [{"count": 1, "price": "2"}]}"#, "lines[0].price: expected a number"),
    (#"{"lines": [{"count": 1}]}"#, "lines[0].price: missing"),
  ])
  func `the reason names the place in nested values`(body: String, reason: String) {
    let problem = #expect(throws: JSONBody.Malformed.self) { try decode(Order.self, body) }
    #expect(problem?.reason == reason)
  }

  @Test func `nesting is bounded, brackets inside strings do not count`() throws {
    let limit = JSONBody.nestingMax
    func nested(_ depth: Int) -> String {
      let (opening, closing) = (String(repeating: "[", count: depth - 1), String(repeating: "]", count: depth - 1))
      return #"{"text": "a", "b": "# + opening + closing + "}"
    }
    #expect(try decode(NewTweet.self, nested(limit)).text == "a")
    let problem = #expect(throws: JSONBody.Malformed.self) { try decode(NewTweet.self, nested(limit + 1)) }
    #expect(problem?.reason == "nested deeper than 32 levels")
    let brackets = String(repeating: #"[{\"\\"#, count: 100)
    let text = try decode(NewTweet.self, #"{"text": ""# + brackets + #""}"#).text
    #expect(text == String(repeating: #"[{"\"#, count: 100))
    let side = String(repeating: "[],", count: 1_000) + "[]"
    #expect(try decode(NewTweet.self, #"{"text": "a", "b": ["# + side + "]}").text == "a")
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "{\"a\":[\""])
  func `64 KiB of open brackets need no deep stack`(opening: String) throws {
    let bytes = Array(String(repeating: opening, count: 65_536 / opening.utf8.count).utf8)
    let deepest = Array(
      (#"{"text": "a", "b": "# + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}").utf8)
    let refused = Mutex(false)
    try onThread(stackBytes: 128 * 1_024) {
      #expect(throws: JSONBody.Malformed.self) { try JSONBody.decode(NewTweet.self, from: bytes) }
      #expect(throws: Never.self) { try JSONBody.decode(NewTweet.self, from: deepest) }
      refused.withLock { $0 = true }
    }
    #expect(refused.withLock { $0 })
  }

  @Test func `many threads may read their first document at the same time`() async throws {
    let texts = try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<64 {
        group.addTask { try decode(NewTweet.self, #"{"text": "number \#(number)"}"#).text }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(texts == Set((0..<64).map { "number \($0)" }))
  }
}

private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws(JSONBody.Malformed) -> T {
  try JSONBody.decode(type, from: Array(text.utf8))
}

/// Runs `work` to its end on a thread of its own whose stack is that small.
private func onThread(stackBytes: Int, _ work: @escaping @Sendable () -> Void) throws {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  defer { pthread_attr_destroy(attributes) }
  try #require(pthread_attr_setstacksize(attributes, stackBytes) == 0)
  let box = Unmanaged.passRetained(Work(work))
  #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, attributes, { runWork($0) }, box.toOpaque())
    let started = thread
  #else
    var thread = pthread_t()
    let status = pthread_create(&thread, attributes, { runWork($0!) }, box.toOpaque())
    let started: pthread_t? = thread
  #endif
  try #require(status == 0)
  try #require(pthread_join(#require(started), nil) == 0)
}

private final class Work: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runWork(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run()
  return nil
}
