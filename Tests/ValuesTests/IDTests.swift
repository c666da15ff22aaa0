import Testing
import Values

struct IDTests {
  /// The example of RFC 9562, appendix A.6.
  let example = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"

  @Test func `an id is read and written in the canonical form`() throws {
    let id = try #require(AccountID(example))
    #expect(id.description == example)
    #expect(id.bytes.prefix(4) == [0x01, 0x7F, 0x22, 0xE2])
    #expect(id.bytes.count == 16)
    #expect(id.bytes.last == 0x8F)
  }

  @Test func `upper case is read and written as lower case`() throws {
    let id = try #require(AccountID(example.uppercased()))
    #expect(id.description == example)
    #expect(id == AccountID(example))
  }

  @Test func `an id goes through its bytes unchanged`() throws {
    let id = try #require(TweetID(example))
    #expect(TweetID(bytes: id.bytes) == id)
    #expect(id.withBytes { TweetID(bytes: $0) } == id)
    #expect(TweetID(bytes: Array(id.bytes.dropLast())) == nil)
    #expect(TweetID(bytes: id.bytes + [0]) == nil)
  }

  @Test func `an id appends its text to an answer`() throws {
    var answer = Array("id=".utf8)
    try #require(SessionID(example)).append(to: &answer)
    #expect(String(decoding: answer, as: UTF8.self) == "id=" + example)
  }

  @Test(arguments: [
    "", "017f22e279b07cc398c4dc0c0c07398f", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
    "urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398",
    "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g",
    "017f22e279-b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398\u{0}",
    " 17f22e2-79b0-7cc3-98c4-dc0c0c07398f", "017f22e2_79b0_7cc3_98c4_dc0c0c07398f",
    "-17f22e2-79b0-7cc3-98c4-dc0c0c07398f", "０17f22e2-79b0-7cc3-98c4-dc0c0c0739",
  ])
  func `any other form is no id`(text: String) {
    #expect(AccountID(text) == nil)
  }

  @Test func `ids are ordered as their bytes are`() throws {
    let texts = [
      "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-8000-000000000000",
      "00000000-0000-0001-0000-000000000000", "80000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ]
    let ids = try texts.map { try #require(AccountID($0)) }
    #expect(ids.reversed().sorted() == ids)
    #expect(ids.map(\.description) == texts)
  }

  @Test func `an id of version 7 tells its milliseconds`() throws {
    #expect(try #require(AccountID(example)).millisecondsSinceEpoch == 1_645_557_742_000)
  }
}
