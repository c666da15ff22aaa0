import HTTP
import Secrets
import Testing

@testable import Routes

/// What a client says that it has, in `If-None-Match`.
@Suite struct EntityTagTests {
  static let tag = EntityTag(SHA256Digest.of("hello"))
  static let quoted = "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\""

  func isNamed(_ fields: [String]) -> Bool {
    Self.tag.isNamed(
      by: Request(method: .get, target: "/", peer: "192.0.2.1", headers: fields.map { (.ifNoneMatch, $0) }))
  }

  @Test func `a tag is the digest of what it names, quoted`() {
    #expect(Self.tag.text == Self.quoted)
  }

  @Test(arguments: [
    [quoted], ["W/\(quoted)"], ["*"], [" * "], ["  \(quoted)\t"], ["\"other\", \(quoted)"],
    ["\"other\",\(quoted),W/\"x\""],
    [",, ,\(quoted)"], ["\"\",\(quoted)"], ["\"a, b\" , \(quoted)"], ["\"*\", W/\(quoted)"], ["\"é\",\(quoted)"],
    ["\"other\"", quoted], ["W/\"other\"", "*"],
  ])
  func `a list that names it does, by weak comparison`(fields: [String]) {
    #expect(isNamed(fields))
  }

  @Test(arguments: [
    [], [""], [","], ["\"other\""], ["W/\"other\""], [String(quoted.dropFirst().dropLast())],
    [String(quoted.dropLast())],
    [quoted.uppercased()], ["w/\(quoted)"], ["\"*\""], ["**"], ["\"other\", *"], ["*, \"other\""], ["W/"],
    ["W/W/\(quoted)"],
    ["\"other\" x \(quoted)"], ["\" \(quoted)"], ["W/ \(quoted)"], ["\"x\(quoted)"],
  ])
  func `what does not name it, or is no list up to there, does not`(fields: [String]) {
    #expect(!isNamed(fields))
  }

  @Test func `an answer under its tag is for the client's own cache, and 304 to who has it`() throws {
    let answer = Response(
      status: 200, contentType: "application/json", headers: [("Cache-Control", "no-store")], body: Array("hello".utf8))
    func answered(_ headers: [(Header, String)]) -> Response {
      answer.unlessKnown(to: Request(method: .get, target: "/", peer: "192.0.2.1", headers: headers))
    }
    let whole = answered([])
    #expect(whole.status == 200 && whole.body == answer.body && whole.header("Content-Type") == "application/json")
    let unchanged = answered([(.ifNoneMatch, Self.quoted)])
    #expect(unchanged.status == 304 && unchanged.header("Content-Type") == nil)
    for response in [whole, unchanged] {
      #expect(response.headers.count { $0.name == "Cache-Control" } == 1)
      #expect(response.header("Cache-Control") == "private, no-cache" && response.header("ETag") == Self.quoted)
    }
    #expect(answered([(.ifNoneMatch, "\"other\"")]).status == 200)
  }
}
