import HTTP
import Testing

@testable import Routes

@Suite struct RequestIDTests {
  func id(_ headers: [(Header, String)]) -> String {
    RequestID.of(Request(method: .get, target: "/", peer: "192.0.2.1", headers: headers))
  }

  @Test(arguments: ["a", "A-b_c.9", "01980f1d-3344-7a5b-8c6d-7e8f9a0b1c2d", String(repeating: "x", count: 128)])
  func `a name in form is kept`(text: String) {
    #expect(id([(.requestID, text)]) == text)
  }

  @Test(arguments: [
    "", " ", "a b", "a\tb", "a;b", "a/b", "a\"b", "a\r\nb", "ä", "\u{0}", "a,b", "<script>", "…",
    String(repeating: "x", count: 129),
  ])
  func `a name out of form gives way to a new one`(text: String) throws {
    let made = id([(.requestID, text)])
    #expect(made.count == 32 && made.allSatisfy { $0.isHexDigit && !$0.isUppercase })
  }

  @Test func `a name is made when none came, and never twice`() {
    #expect(Set((0..<1_000).map { _ in id([]) }).count == 1_000)
  }
}
